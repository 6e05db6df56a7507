"""Districts that join, court, end: JOI, CRT, END."""

from support.korona import Realm, make_rules, s


def test_joi_1_after_each_order():
    """JOI-1: the results of an order are settled before the next one."""
    scene = Realm().units("leczyca", 0, infantry=1).units("uniejow", 0, infantry=2)
    scene.orders("poznan build, uniejow regroup").take("do uniejow regroup")
    scene.take("move uniejow leczyca infantry")
    assert scene.owner_of("leczyca") == s.NOBODY
    scene.units("inowlodz", 0, infantry=1).take("done")
    assert scene.kind == "turn"
    assert scene.owner_of("leczyca") == 0


def test_joi_2_a_district_joins():
    """JOI-2: a district held whole by one ruler's units joins and gives a magnate; the old owner's ruler goes home."""
    scene = Realm().owner("leczyca", 1).stands(1, "leczyca").units("leczyca", 0, infantry=1)
    scene.units("uniejow", 0, infantry=1).units("inowlodz", 0, foreign=1)
    scene.orders("poznan build, poznan build").take("do poznan build", "build grod")
    assert scene.owner_of("leczyca") == 1  # the foreign unit holds inowlodz
    scene.units("inowlodz", 0, infantry=1).take("do poznan build", "hasten")
    assert scene.owner_of("leczyca") == 0
    assert scene.ruler(1).stands == "malopolska"
    assert len(scene.ruler(0).free_magnates) == 1
    assert scene.log.seats[0].joined == 1


def test_joi_3_tokens_on_lost_fiefs():
    """JOI-3: they are removed when their ruler no longer holds the fief."""
    scene = Realm().units("sieradz", 0, infantry=1).units("kalisz", 0, infantry=1)
    scene.orders("sieradz regroup, sieradz defend, poznan build")
    scene.take("do sieradz regroup", "move sieradz kalisz infantry")
    assert scene.kind == "turn"
    assert scene.fief("sieradz").tokens == []
    assert scene.fief("poznan").tokens == ["build"]


def court(scene: Realm) -> Realm:
    """Go to the court without any orders."""
    return scene.orders().skip_to("magnate", "grant", "ruler")


def test_crt_1_magnates():
    """CRT-1: repair or raise in own fiefs of its district; not where the ruler stands."""
    scene = Realm().owner("leczyca", 0).magnate("leczyca", "time").units("uniejow", 1, infantry=1)
    assert court(scene.mark("leczyca", devastated=1)).kind == "magnate"
    assert scene.options() == ["none", "repair leczyca", "raise inowlodz"]
    before = int(scene.state.denars[0])
    scene.take("repair leczyca")
    assert (scene.fief("leczyca").devastated, int(scene.state.denars[0])) == (False, before - 2)
    there = Realm().owner("leczyca", 0).magnate("leczyca", "time").stands(0, "leczyca")
    assert court(there).kind == "ruler"


def test_crt_2_grants():
    """CRT-2: to a district without magnate that is not the capital; asked again until none is free."""
    scene = Realm().owner("leczyca", 0).owner("sieradz", 0)
    scene.state.free_magnates[0, :2] = 1, 2
    assert court(scene).kind == "grant"
    grants = [f"{trait} {where}" for trait in ("attack", "defence") for where in ("leczyca", "sieradz")]
    assert scene.options() == ["none", *(f"grant {grant}" for grant in grants)]
    scene.take("grant defence leczyca")
    assert scene.options() == ["none", "grant attack sieradz", "grant defence sieradz"]
    assert scene.take("grant attack sieradz").kind == "ruler"
    assert scene.ruler(0).free_magnates == ["defence"]


def test_crt_3_the_ruler():
    """CRT-3: collect in the capital district, ride, or work where it stands."""
    scene = court(Realm().owner("leczyca", 0))
    works = ["raise poznan", "raise gniezno", "raise kalisz"]
    assert scene.options() == ["none", "collect", "ride leczyca", *works]
    scene.take("ride leczyca")
    assert scene.ruler(0).stands == "leczyca"
    before = int(Realm().begin().state.denars[0])
    assert court(Realm()).take("collect").state.denars[0] == before + 1
    scene = court(Realm()).take("raise poznan")
    assert scene.state.denars[0] == before - 1
    assert scene.fief("poznan").units[0] == 1


def test_end_1_out():
    """END-1: a ruler without a fief of its capital district is out, and only its buildings stay."""
    scene = Realm().owner("leczyca", 1).magnate("leczyca", "time").building("leczyca", "grod")
    for fief in ("krakow", "wislica", "sacz"):
        scene.units(fief, 0, infantry=1)
    scene.units("sandomierz", 1, infantry=1, foreign=1)
    scene.orders("poznan build", "leczyca muster").take("do poznan build", "build grod")
    assert scene.ruler(1).out_round == 1
    assert (scene.ruler(1).denars, scene.ruler(1).score, scene.state.token_count[1]) == (0, 0, 0)
    assert scene.fief("sandomierz").units == [0, 0, 0, 0, 1]
    assert scene.owner_of("leczyca") == s.NOBODY
    assert scene.fief("leczyca").building == "grod"
    assert scene.owner_of("malopolska") == 0  # JOI-2 follows


def test_end_2_scores():
    """END-2: Piast fiefs of a Piast's state, less those occupied; all fiefs of the Zakon's, by its own crown."""
    scene = Realm().owner("brandenburgia", 0).units("poznan", 1, infantry=1).begin()
    assert scene.ruler(0).score == 2
    lines = ["zakon", *[line for line in make_rules().lines if line != "zakon"]]
    zakon = Realm(changes={"lines": lines}).owner("brandenburgia", 0).owner("pomorze", 0).begin()
    assert zakon.ruler(0).score == 3 + 2 + 3 + 9 - 10
    small = Realm(6, changes={"lines": lines}).begin()
    assert small.ruler(0).score == 0  # 3 + 7 - 11


def test_end_3_the_crown():
    """END-3: asked at the end of a round; a score of 9 wins with 4 players."""
    scene = Realm().owner("leczyca", 2).owner("sieradz", 2).stack("good_harvest").next_round()
    game, seats = scene.stepper.result()
    assert scene.stepper.over
    assert game.end == 0
    assert seats[2]["rank"] == 1
    assert seats[2].score == 9


def test_end_3_last_and_limit():
    """END-3: one ruler left; or the last round. END-5: every game ends finished."""
    scene = Realm(2)
    for fief in ("krakow", "wislica", "sacz"):
        scene.begin().units(fief, 0, infantry=1)
    scene.stack("good_harvest").next_round()
    assert scene.stepper.result()[0].end == 1
    limit = Realm(changes={"rounds": 1}).stack("good_harvest").next_round()
    assert limit.state.over == 1
    assert limit.stepper.result()[0].end == 2


def test_end_4_ranks():
    """END-4: not out, score, denars, units; equal in all is a shared rank."""
    scene = Realm(4, {"rounds": 1, "events": "flat", "start": {"infantry": 1}}).begin()
    scene.units("brzesc").denars(0, 5).denars(1, 7).denars(2, 5).denars(3, 5)
    scene.units("plock", 2, infantry=1).next_round()
    _, seats = scene.stepper.result()
    assert seats["rank"].tolist() == [3, 1, 2, 3]
