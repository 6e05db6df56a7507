"""The modules of the package import each other in one direction."""

from graphlib import TopologicalSorter

import grimp


def test_no_modules_import_each_other_in_a_circle():
    """Also not inside a function, nor for types alone; an error of `graphlib` names the circle."""
    graph = grimp.build_graph("balance", cache_dir=None)
    imported = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert list(TopologicalSorter(imported).static_order())
