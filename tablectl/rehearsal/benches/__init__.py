"""One module a figure of ``tablectl bench``; each measures both sides of its ratio in the same run."""
