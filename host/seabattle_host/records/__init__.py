"""What is stored between runs: the games that were played, and the player's settings."""
