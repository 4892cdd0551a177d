"""Does work with a library, as it is told on standard input, one JSON object a line.

`{"prepare": NAME, "inputs": [FILE, …], "bf16": false, "result": FILE}` reads arrays and writes what comes out of them;
`{"calls": N, "clock": "wall"}` then calls that so often and answers the seconds, of all processors together with
`"cpu"`. The script of the library follows this one. Its arguments are how many processors there are to use, and the device.
"""

import json
import os
import sys
import time

THREADS = int(sys.argv[1])
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:THREADS])


def serve(version, prepare, finish):
    """Answers requests, with what makes a call ready and what waits for its result."""
    call = None
    print(json.dumps(version), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        if "prepare" in request:
            # What was prepared before makes room first.
            call = None
            call = prepare(request)
            answer = 0.0
        else:
            clock = time.process_time if request["clock"] == "cpu" else time.perf_counter
            start = clock()
            for _ in range(request["calls"]):
                finish(call())
            answer = clock() - start
        print(json.dumps(answer), flush=True)
