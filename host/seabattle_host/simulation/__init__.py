"""Games in simulated time: two links on a line that can fail, many games on many processors, and their figures."""
