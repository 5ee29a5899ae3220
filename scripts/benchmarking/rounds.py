"""The rounds: every way once, then every way once more."""

import sys

WARM_UP = 10  # of the short text, each round
RUNS = 25


def measure(ways, rounds):
    """Every number that was taken: a record a way."""
    records = [
        {
            "engine": way.engine,
            "way": way.name,
            "precision": way.precision,
            "setting": way.setting,
            "bulk": [],
            "start_bulk": [],
            "one": [],
            "start": [],
            "create": [],
        }
        for way in ways
    ]
    pairs = list(zip(ways, records))
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
        # Each round begins with another way, so that none always follows the same one.
        turn = number % len(pairs)
        order = pairs[turn:] + pairs[:turn]
        for way, record in order:
            record["bulk"].append(way.bulk())
            if way.start_bulk:
                record["start_bulk"].append(way.start_bulk())
        for way, record in order:
            if way.one:
                way.one(WARM_UP)
                record["one"].append(way.one(RUNS))
        for way, record in order:
            if way.start:
                whole, create = way.start()
                record["start"].append(whole)
                record["create"] += [] if create is None else [create]
    return records
