"""A counter over the eventsourcing package, its events in SQLite.

    counter.py save PATH EVENTS BATCH    saves that many events, BATCH at a time
    counter.py load PATH EVENTS          folds them into the counter

Prints what it took as JSON: {"seconds": ..., "processorSeconds": ...}
"""

import json
import os
import sys
import time
from uuid import NAMESPACE_URL, uuid5

command, path, events = sys.argv[1], sys.argv[2], int(sys.argv[3])
os.environ["PERSISTENCE_MODULE"] = "eventsourcing.sqlite"
os.environ["SQLITE_DBNAME"] = path

from eventsourcing.application import Application  # noqa: E402
from eventsourcing.domain import Aggregate, event  # noqa: E402

COUNTER = uuid5(NAMESPACE_URL, "/counters/1")


class Counter(Aggregate):
    @event("Started")
    def __init__(self):
        self.value = 0

    @staticmethod
    def create_id():
        return COUNTER

    @event("Increased")
    def increase(self, by):
        self.value += by


def amount(index):
    return index % 1000 + 1


def save(app, batch):
    counter = Counter()
    app.save(counter)
    for index in range(events):
        counter.increase(amount(index))
        if (index + 1) % batch == 0:
            app.save(counter)
    app.save(counter)


def load(app):
    counter = app.repository.get(COUNTER)
    expected = sum(amount(index) for index in range(events))
    if counter.value != expected:
        sys.exit(f"the counter is {counter.value}, expected {expected}")


app = Application()
start, processor = time.perf_counter(), time.process_time()
if command == "save":
    save(app, int(sys.argv[4]))
else:
    load(app)
print(
    json.dumps(
        {
            "seconds": time.perf_counter() - start,
            "processorSeconds": time.process_time() - processor,
        }
    )
)
