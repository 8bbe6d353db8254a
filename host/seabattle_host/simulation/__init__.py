"""Games in simulated time: two links on a faulty line, many games in parallel, and their statistics."""
