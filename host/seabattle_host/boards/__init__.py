"""The boards people own: what is plugged in, what a folder of boards/ says of it, and how the game gets there."""
