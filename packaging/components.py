"""Makes a software bill of materials that is the same wherever it was made: the folder of the build is taken out of it, and
what differs between two runs. JSON (CycloneDX), on standard output.

    components.py FOLDER FILE"""

import json
import os
import pathlib
import sys
import time
import uuid


def main():
    folder, file = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    text = file.read_text(encoding="utf-8").replace(f"path+file://{folder}", "path+file:///claimsmith")
    bill = json.loads(text)
    moment = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))
    bill["metadata"]["timestamp"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", moment)
    bill.pop("serialNumber", None)
    # Of its contents, as a bill that differs has another number.
    number = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(bill, sort_keys=True))
    bill = {"bomFormat": bill.pop("bomFormat"), "specVersion": bill.pop("specVersion"), "serialNumber": f"urn:uuid:{number}"} | bill
    text = json.dumps(bill, indent=2)
    assert str(folder) not in text, f"the bill of materials names {folder}"
    print(text)


main()
