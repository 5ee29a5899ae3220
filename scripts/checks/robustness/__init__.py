"""What survives: failing calls, kills, worst texts, other people's files, other programs and machines."""
