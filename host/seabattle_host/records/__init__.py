"""What is kept between runs: the games that were played, and the player's settings."""
