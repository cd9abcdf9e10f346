# SPDX-License-Identifier: MIT
"""Builds the wheel of tare_bench.py for pip (PEP 517), with nothing but the standard library."""
import base64
import hashlib
import pathlib
import re
import zipfile

HERE = pathlib.Path(__file__).parent
PROJECT = dict(re.findall(r'^([a-z-]+) = "(.*)"$', (HERE / "pyproject.toml").read_text(encoding="utf-8"), re.M))
STEM = f"{PROJECT['name'].replace('-', '_')}-{PROJECT['version']}"
METADATA = f"""Metadata-Version: 2.1
Name: {PROJECT['name']}
Version: {PROJECT['version']}
Summary: {PROJECT['description']}
License: {PROJECT['license']}
Requires-Python: {PROJECT['requires-python']}
"""
WHEEL = "Wheel-Version: 1.0\nGenerator: tare-bench\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def build_wheel(folder, config_settings=None, metadata_directory=None):
    files = {"tare_bench.py": (HERE / "tare_bench.py").read_text(encoding="utf-8"),
             f"{STEM}.dist-info/METADATA": METADATA, f"{STEM}.dist-info/WHEEL": WHEEL}
    record = f"{STEM}.dist-info/RECORD"
    rows = [f"{name},sha256={_hash(text)},{len(text.encode())}" for name, text in files.items()]
    files[record] = "\n".join(rows + [f"{record},,", ""])
    wheel = f"{STEM}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(folder) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return wheel


def _hash(text):
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
