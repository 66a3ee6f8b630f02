"""Faults planted in the firmware's sources, one at a time: do the checks notice?"""
