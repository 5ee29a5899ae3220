"""Whether all engines compute the same thing: without that their times say nothing.

Only those in float32 must. The others say how far they are from the first, and how many verdicts they change.
"""

import numpy

from benchmarking.ways import FLOAT32
from common.program import ProgramError

BOUND = 1e-3


def compare(ways):
    """What each way's logits differ by from the first way's: a list of records. Raises ProgramError past the bound."""
    records, first = [], None
    for way in ways:
        logits = numpy.array(way.logits())
        first = logits if first is None else first
        difference = float(numpy.abs(logits - first).max())
        labels = int((logits.argmax(1) != first.argmax(1)).sum())
        records.append(
            {
                "engine": way.engine,
                "way": way.name,
                "precision": way.precision,
                "difference": difference,
                "other_labels": labels,
                "deviation": float(logits.std(0).mean()),
            }
        )
        if way.precision == FLOAT32 and not difference <= BOUND:
            raise ProgramError(
                f"{way.engine}, {way.name}: a logit is {difference:.3g} away from that of {ways[0].engine}"
            )
    return records
