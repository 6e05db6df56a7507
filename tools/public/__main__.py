"""Write docs/public.txt: what is public in the release that is made now.

python tools/public
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from public import public_names  # noqa: E402

if __name__ == "__main__":
    (ROOT / "docs" / "public.txt").write_text("\n".join(public_names()) + "\n", encoding="utf-8")
