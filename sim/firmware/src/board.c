#include "board.h"

#include "bytes.h"
#include "words.h"

void board_boot(struct board *board, uint32_t device, const struct settings *settings,
                const struct inputs *inputs)
{
    bytes_clear(board, sizeof *board);
    board->device = device;
    board->boot_count = settings->boot_count;
    board->in = *inputs;
    board->before = *inputs;
    board->table.profile = settings->profile;
    session_boot(board, ((uint64_t)device << 32) | settings->boot_count);
    keys_boot(board);
    session_event(board, EVENT_BOOT, NO_SIDE, board->boot_count, SOURCE_SENSOR);
    table_boot(board);
}

void board_receive(struct board *board, uint64_t now_us, uint8_t byte)
{
    board->now_us = now_us;
    session_receive(board, byte);
}

void board_step(struct board *board, uint64_t now_us, const struct inputs *inputs)
{
    board->now_us = now_us;
    board->before = board->in;
    board->in = *inputs;
    keys_step(board);
    table_step(board);
    session_step(board);
}

bool board_transmit(struct board *board, uint8_t *byte)
{
    return atp_transmit(&board->session.sender, byte);
}

uint32_t board_outputs(const struct board *board)
{
    const struct table *table = &board->table;
    const uint32_t dealer = (table->dealer == NO_SIDE) ? SIDES : table->dealer;
    const uint32_t lamp_side = (table->lamp_side == NO_SIDE) ? SIDES : table->lamp_side;
    const uint32_t fault = (table->latched != 0u) ? OUT_FAULT : 0u;
    return (table->outputs & (OUT_MOTORS | OUT_LOAD)) | fault | ((uint32_t)table->lamp << LAMP_SHIFT) |
           (lamp_side << LAMP_SIDE_SHIFT) | (dealer << DEALER_SHIFT) |
           ((uint32_t)table->dice_side << DICE_SIDE_SHIFT);
}

uint64_t board_due(const struct board *board)
{
    uint64_t due = session_due(board);
    if (table_due(board) < due) {
        due = table_due(board);
    }
    if (keys_due(board) < due) {
        due = keys_due(board);
    }
    return due;
}

bool board_settings_changed(struct board *board, struct settings *settings)
{
    const bool changed = board->table.settings_changed;
    board->table.settings_changed = false;
    settings->boot_count = board->boot_count;
    settings->profile = board->table.profile;
    return changed;
}
