"""The rules of docs/rules.md, and the tests of each."""

from __future__ import annotations

import ast
import functools
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "rules.md"

TESTED = """
G1 unit/test_words.py names_of_cells
G2 unit/test_screen_games.py columns_have_russian_letters_with_or_without_yo
G3 unit/test_words.py a_cell_may_be_typed_in_many_ways what_names_no_cell
G3 unit/test_screen_games.py several_cells_may_be_typed_in_many_ways
G4 shared/test_field.py a_shot_misses_hits_or_sinks
G5 shared/test_classic.py only_a_cell_on_the_field_that_was_not_shot_and_is_not_known_to_be_empty_may_be_shot_at
G6,C4,C5 shared/test_classic.py a_miss_passes_the_turn_a_hit_and_a_sinking_give_another_shot
G6 shared/test_classic.py nobody_shoots_before
G7 shared/test_classic.py when_a_ship_sinks_both_see_that_the_cells_around_it_are_empty
G7 shared/test_field.py every_cell_around_a_sunk_ship_becomes_known_to_be_empty_and_none_before
G7 shared/test_variants.py around_a_sunk_ship_only_what_the_rules_prove_is_known_empty_and_a_shot_there_is_a_repeat
G8 shared/test_classic.py a_player_may_place_remove_fill_and_place_all_at_random_until_ready
G8 e2e/test_tui_local.py a_ship_is_turned_placed_and_taken_back
G9 shared/test_field.py ships_are_placed_one_by_one_until_the_field_holds_the_whole_fleet
G10 shared/test_field.py the_longest_ship_is_placed_first_so_it_is_on_each_of_its_places_equally_often
G11 shared/test_field.py a_random_field_is_legal_and_shot_down_as_it_stands
G11 shared/test_variants.py the_rare_placement_on_a_tight_field_is_found
G12 shared/test_field.py it_says_when_there_is_no_placement
G12 shared/test_variants.py that_there_is_no_placement_is_said
G12 unit/test_screen_games.py rules_that_cannot_be_played_are_one_line
G12 e2e/test_tui_local.py the_first_screen_offers_the_other_games_and_the_menu_refuses_a_fleet_that_has_no_room
G13 unit/test_screen_games.py who_surrenders_has_lost_whoevers_turn_it_is
G13 unit/test_screen_games.py who_surrenders_before_the_first_shot_has_lost_too
G14 unit/test_screen_games.py who_is_away_is_skipped_only_after_the_time_that_was_agreed
C1 shared/test_classic.py placing
C2 shared/test_variants.py bent_ships_are_refused_where_they_are_not_agreed
C3 shared/test_field.py ships_may_touch_neither_by_side_nor_by_corner
C6 shared/test_classic.py the_first_to_sink_all_ships_wins
C7 unit/test_screen_games.py who_begins_is_drawn_or_agreed
V1 shared/test_variants.py ships_may_touch_by_corners_only_where_that_is_agreed_and_never_by_sides
V2 shared/test_variants.py the_shapes_are_straight_ones_an_L_of_three_and_four_a_square_and_a_zigzag
V3,V4 shared/test_variants.py fields_go_from_6x6_to_26x26_with_ships_of_up_to_five
V5 shared/test_variants.py random_placing_is_legal_by_every_mixture_of_rules
V5 shared/test_field.py at_most_half_of_the_ships_rounded_down_stand_along_a_wall
V5 unit/test_screen_games.py no_more_than_half_of_the_ships_are_placed_along_walls_where_that_is_agreed
V6,K1 unit/test_sim.py many_games_of_every_kind_keep_what_all_games_keep
V7,M17 unit/test_screen_games.py nothing_of_a_persons_view_is_on_the_screen_when_the_next_one_comes
V7 e2e/test_tui_local.py marked_cells_are_a_salvo_and_between_two_people_nothing_is_left_on_the_screen
J1 unit/test_screen_games.py the_loser_is_asked_first_and_then_the_winner
J2 shared/test_jury.py a_ship_that_is_none_is_named_by_its_first_deck
J2 shared/test_jury.py ships_that_touch_by_a_corner_are_named_unless_they_may
J2 shared/test_jury.py a_ship_too_many_and_one_too_few_are_named_by_their_length
J2 shared/test_jury.py a_ship_too_many_along_a_wall_is_named_where_the_wall_rule_holds
J3 shared/test_jury.py every_answer_that_is_forged_is_found_and_the_first_is_named
J4,J5 shared/test_jury.py the_cheat_loses_and_if_both_cheat_there_is_no_result
J4 unit/test_history.py a_verdict_turns_the_result_that_is_kept
J6 shared/test_classic.py an_answer_that_cannot_be_true_ends_the_game_and_loses_it
J6 unit/test_history.py a_proof_during_the_game_wins_it_and_other_faults_do_not
J7 unit/test_screen_games.py every_finding_of_the_jury_is_put_into_words
J8 faults/test_honest.py honest_games_raise_no_accusation
P1 shared/test_fleet.py each_number_out_of_its_range_is_named
P2 pico/test_pico_game.py two_boards_with_clocks_5_percent_apart_play_each_other_through_noise
P3 e2e/test_board.py a_board_plays_the_bot_without_allocating_and_both_chat_in_russian
P4 e2e/test_bot.py two_bots_play_a_game_and_leave
S1 shared/test_salvo.py 10x10_and_five_ships_with_their_cells_and_guns
S2 shared/test_salvo.py ships_lie_across_down_or_diagonally
S2 unit/test_screen_games.py ships_are_placed_by_hand_diagonally_too
S3 shared/test_salvo.py they_stay_on_the_board
S4 shared/test_salvo.py they_may_not_touch_nor_cross
S5 shared/test_salvo.py rounds_are_numbered_from_1
S6 shared/test_salvo.py as_many_shots_as_the_guns_of_the_unsunk_ships_or_fewer
S7,S8 shared/test_salvo.py a_bad_salvo_is_refused_whole_with_the_reason
S8 unit/test_screen_games.py a_bad_salvo_is_refused_whole_with_the_reason
S9 shared/test_salvo.py both_salvos_are_resolved_at_once
S10 shared/test_salvo.py a_player_learns_which_ship_was_hit_how_often_but_not_by_which_shot
S10,K2 unit/test_field_view.py in_a_salvo_the_view_has_which_ships_were_hit_and_not_by_which_shot
S11 shared/test_salvo.py of_the_shots_received_it_learns_cell_round_and_the_own_ship_hit
S12 shared/test_salvo.py both_boards_keep_the_round_of_every_shot
S13 shared/test_salvo.py the_record_of_a_round_holds_shots_hits_and_sinkings
S14,S15,S17 shared/test_salvo.py how_it_ends
S15 unit/test_screen_games.py two_people_fire_at_once_and_sinking_both_fleets_in_a_round_is_a_draw
S16 shared/test_salvo.py withdrawing_loses
S18 shared/test_salvo.py in_every_round_the_heat_is_what_the_record_allows_and_the_hottest_cells_are_fired_at
S18 unit/test_field_view.py the_view_of_a_salvo_has_nothing_of_the_others_placing
M1,M2,M3,M4 shared/test_melee.py placing_is_legal_never_takes_long_and_goes_up_to_every_edge_in_both_directions
M2 shared/test_melee.py placing_goes_from_long_ships_to_short_ones
M5 shared/test_melee.py turn_order_is_A_B_C_or_drawn
M6,M7 shared/test_melee.py a_hit_gives_another_shot_and_a_miss_passes_the_turn
M7,M15 shared/test_melee.py a_player_whose_fleet_is_gone_is_out_and_the_turn_goes_past
M8 shared/test_melee.py refused_with_the_reason_and_the_turn_kept
M8 unit/test_screen_games.py refusals_tell_the_reason_to_the_player_alone_and_keep_the_turn
M8 e2e/test_tui_local.py bad_input_is_answered_on_the_screen
M9,M10,M11 shared/test_melee.py everybody_sees_all_shots_and_only_the_own_ships_until_they_are_hit
M10 unit/test_hidden.py nothing_that_a_person_can_get_at_hangs_on_what_another_has_hidden
M10,M17 e2e/test_tui_local.py in_a_melee_no_screen_holds_a_ship_that_was_not_hit
M12 unit/test_field_view.py the_players_are_light_blue_light_green_and_light_orange
M13,M14 unit/test_field_view.py a_miss_is_a_red_dot_as_the_last_move_and_black_from_the_next_on
M13,M14 unit/test_field_view.py a_hit_is_red_as_the_last_move_and_the_owners_darker_shade_from_the_next_on
M13,M14 unit/test_field_view.py a_sinking_is_bombs_with_dots_around_and_the_owners_darker_shade_from_the_next_on
M13 unit/test_picture.py a_melee_is_drawn_in_the_colours_of_its_rules
M14 unit/test_field_view.py a_darker_shade_is_darker
M16 shared/test_melee.py the_last_with_living_decks_wins_and_who_went_out_last_is_second
M18 unit/test_screen_games.py in_a_melee_who_gives_up_is_out_and_the_others_play_on
K2 unit/test_field_view.py a_melee_without_its_hidden_ships_looks_the_same_and_leads_to_the_same_shot
K3 micropython/test_games.py games_of_salvo_and_of_melee_allocate_nothing
K3 micropython/test_games.py games_of_the_variants_judged_at_the_end_allocate_nothing
"""
"""Rules, a file below tests/, and the tests in it, or titles of cases in its tables, that check them."""

TESTS: dict[str, list[tuple[str, str]]] = {}
for tried, file, *functions in map(str.split, TESTED.strip().splitlines()):
    for rule in tried.split(","):
        TESTS.setdefault(rule, []).extend((file, f"test_{function}") for function in functions)


def rules() -> list[str]:
    """Return the names of all rules on the page, in order."""
    return re.findall(r"^- \*\*([A-Z]\d+)\*\* \S", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


@functools.cache
def names(file: str) -> set[str]:
    """Return the test functions of a file, and the titles in its tables of cases, written as names of tests."""
    found = set()
    for node in ast.walk(ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.add(node.name)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            lines = [line for line in node.value.splitlines() if line[:1].isalpha()]
            titles = [title for line in lines for title in re.split("[.;:]", line)]
            found |= {"test_" + "_".join(re.findall(r"\w+", title.lower().replace("'", ""))) for title in titles}
    return found


def test_every_rule_has_a_name_of_its_own_and_they_are_counted_through():
    names = rules()
    assert len(set(names)) == len(names) > 0
    for kind in {name[0] for name in names}:
        numbers = [int(name[1:]) for name in names if name[0] == kind]
        assert numbers == list(range(1, len(numbers) + 1)), kind


def test_no_rule_of_the_page_is_without_tests_and_no_test_without_its_rule():
    assert set(rules()) == TESTS.keys()


@pytest.mark.parametrize("rule", TESTS)
def test_the_tests_of_a_rule_exist(rule: str):
    assert TESTS[rule]
    for file, function in TESTS[rule]:
        assert function in names(file), f"{rule}: {file} has no {function}"
