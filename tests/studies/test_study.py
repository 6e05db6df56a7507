"""A study has the name of its command, and its page the files that the command names."""

from typing import Any

import pytest

from balance.cli.commands import main
from balance.studies import curve_page, ladder, restrict_page, sensitivity, tune_page
from balance.studies.study import Study


@pytest.mark.parametrize("module", [ladder, curve_page, sensitivity, restrict_page, tune_page])
def test_a_study_is_a_command(module: Any):
    study: Study[Any, Any] = module.STUDY
    command = main.commands[study.name]
    (out,) = (option for option in command.params if option.name == "out")
    assert out.help.startswith(f"Folder for {study.files.html}, {study.files.markdown}, ")
    assert {"as_json", "quiet", "dask", "threads"} < {option.name for option in command.params}
    assert study.written == f"{study.name}: {{path}}"
