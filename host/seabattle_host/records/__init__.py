"""Data stored between runs: the games played, and the player's settings."""
