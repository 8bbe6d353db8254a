"""The rules of docs/rules.md, and which tests try each of them."""

from __future__ import annotations

import ast
import functools
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "rules.md"

CLASSIC = "shared/test_classic.py"
CLUB = "shared/test_club_play.py"
FIELD = "shared/test_field.py"
JURY = "shared/test_jury.py"
KEPT = "unit/test_match_jury.py"
MELEE = "shared/test_melee.py"
SALVO = "shared/test_salvo.py"
VARIANTS = "shared/test_variants.py"
HEAP = "micropython/test_games.py"
LOCAL = "e2e/test_tui_local.py"
LINES = "unit/test_screen_games.py"
PEOPLE = "unit/test_people.py"
FIELD_VIEW = "unit/test_field_view.py"
SIM = "unit/test_statistics.py"
TEXT = "unit/test_text.py"

TESTS: dict[str, list[tuple[str, str]]] = {
    "G1": [(TEXT, "test_names_of_cells")],
    "G2": [(LINES, "test_columns_have_russian_letters_with_or_without_yo")],
    "G3": [
        (TEXT, "test_a_cell_may_be_typed_in_many_ways"),
        (TEXT, "test_what_names_no_cell"),
        (LINES, "test_several_cells_may_be_typed_in_many_ways"),
    ],
    "G4": [(FIELD, "test_a_shot_misses_hits_or_sinks")],
    "G5": [
        (CLASSIC, "test_only_a_cell_that_was_not_shot_may_be_shot_at"),
        (CLASSIC, "test_only_a_cell_that_is_not_known_to_be_empty_may_be_shot_at"),
        (CLUB, "test_a_checked_square_is_no_target"),
    ],
    "G6": [(CLASSIC, "test_a_miss_passes_the_turn"), (CLASSIC, "test_nobody_shoots_while_ships_are_placed")],
    "G7": [
        (CLASSIC, "test_when_a_ship_sinks_both_see_that_the_cells_around_it_are_empty"),
        (FIELD, "test_every_cell_around_a_sunk_ship_becomes_known_to_be_empty"),
        (CLUB, "test_a_ship_all_of_whose_squares_are_destroyed_is_sunk_and_the_squares_around_it_are_checked"),
        (VARIANTS, "test_around_a_sunk_ship_only_what_the_rules_prove_is_known_empty"),
    ],
    "G8": [
        (CLASSIC, "test_a_player_may_place_remove_fill_and_place_all_at_random_until_ready"),
        (CLUB, "test_a_field_that_is_not_full_is_filled_with_random_ships"),
        (LOCAL, "test_a_ship_is_turned_placed_and_taken_back"),
    ],
    "G9": [
        (FIELD, "test_ships_are_placed_one_by_one_until_the_field_holds_the_whole_fleet"),
        (CLUB, "test_when_both_fields_are_full_the_battle_begins"),
    ],
    "G10": [
        (FIELD, "test_the_longest_ship_is_placed_first_so_it_is_on_each_of_its_places_equally_often"),
        (FIELD, "test_it_starts_over_when_it_gets_stuck_so_some_fields_take_many_times_as_long_as_others"),
    ],
    "G11": [
        (FIELD, "test_the_rare_placement_is_found_where_the_field_is_tight"),
        (VARIANTS, "test_the_rare_placement_on_a_tight_field_is_found"),
    ],
    "G12": [
        (FIELD, "test_it_says_when_there_is_no_placement"),
        (VARIANTS, "test_that_there_is_no_placement_is_said"),
        (LINES, "test_rules_that_cannot_be_played_are_one_line"),
        (LOCAL, "test_the_menu_refuses_a_fleet_that_has_no_room"),
    ],
    "G13": [
        (PEOPLE, "test_who_surrenders_has_lost_whoevers_turn_it_is"),
        (PEOPLE, "test_who_surrenders_before_the_first_shot_has_lost_too"),
    ],
    "G14": [(PEOPLE, "test_who_is_away_is_skipped_only_after_the_time_that_was_agreed")],
    "C1": [
        (CLASSIC, "test_each_of_the_two_places_the_classic_ten_on_10x10"),
        (CLUB, "test_of_each_length_there_are_at_most_five_minus_the_length"),
    ],
    "C2": [
        (VARIANTS, "test_bent_ships_are_refused_where_they_are_not_agreed"),
        (CLUB, "test_the_field_has_10_columns_and_10_rows_and_ships_of_1_to_4_squares_in_one_line"),
    ],
    "C3": [(FIELD, "test_ships_may_touch_neither_by_side_nor_by_corner")],
    "C4": [
        (CLASSIC, "test_a_hit_and_a_sinking_give_another_shot"),
        (CLUB, "test_a_shot_at_a_square_with_a_part_of_a_ship_wounds_it_and_gives_another_shot"),
    ],
    "C5": [
        (CLASSIC, "test_a_miss_passes_the_turn"),
        (CLUB, "test_a_shot_at_an_empty_square_checks_it_and_passes_the_turn"),
    ],
    "C6": [
        (CLASSIC, "test_the_first_to_sink_all_ships_wins"),
        (CLUB, "test_when_all_ships_are_sunk_the_game_is_finished"),
    ],
    "C7": [
        (CLASSIC, "test_who_starts_is_drawn_by_lot"),
        (CLASSIC, "test_who_starts_is_agreed"),
        (LINES, "test_who_begins_is_drawn_or_agreed"),
    ],
    "V1": [(VARIANTS, "test_ships_may_touch_by_corners_only_where_that_is_agreed_and_never_by_sides")],
    "V2": [(VARIANTS, "test_the_shapes_are_straight_ones_an_L_of_three_and_four_a_square_and_a_zigzag")],
    "V3": [(VARIANTS, "test_fields_go_from_6x6_to_26x26"), (CLASSIC, "test_other_fleets_and_fields")],
    "V4": [(VARIANTS, "test_the_15x15_set_has_a_five_deck")],
    "V5": [
        (VARIANTS, "test_the_wall_rule_can_be_combined_with_all_others"),
        (FIELD, "test_at_most_half_of_the_ships_rounded_down_stand_along_a_wall"),
        (LINES, "test_no_more_than_half_of_the_ships_are_placed_along_walls_where_that_is_agreed"),
    ],
    "V6": [
        (VARIANTS, "test_the_gunner_plays_all_variants_to_the_end"),
        (LINES, "test_computers_play_every_variant_to_the_end"),
        (SIM, "test_many_games_of_every_kind_keep_what_all_games_keep"),
    ],
    "V7": [
        (LINES, "test_a_curtain_falls_between_two_people_at_a_screen"),
        (LOCAL, "test_marked_cells_are_a_salvo_and_between_two_people_nothing_is_left_on_the_screen"),
    ],
    "J1": [(LINES, "test_the_loser_is_asked_first_and_then_the_winner")],
    "J2": [
        (JURY, "test_a_ship_that_is_none_is_named_by_its_first_deck"),
        (JURY, "test_ships_that_touch_by_a_corner_are_named_unless_they_may"),
        (JURY, "test_a_ship_too_many_and_one_too_few_are_named_by_their_length"),
        (JURY, "test_a_ship_too_many_along_a_wall_is_named_where_the_wall_rule_holds"),
    ],
    "J3": [(JURY, "test_every_answer_that_is_forged_is_found_and_the_first_is_named")],
    "J4": [
        (JURY, "test_the_cheat_loses_and_if_both_cheat_there_is_no_result"),
        (KEPT, "test_a_verdict_turns_the_result_that_is_kept"),
    ],
    "J5": [(JURY, "test_the_cheat_loses_and_if_both_cheat_there_is_no_result")],
    "J6": [
        (CLASSIC, "test_an_answer_that_cannot_be_true_ends_the_game_and_loses_it"),
        (VARIANTS, "test_an_answer_that_cannot_be_true_ends_the_game_and_loses_it"),
        (KEPT, "test_a_proof_during_the_game_wins_it_and_other_faults_do_not"),
    ],
    "J7": [(LINES, "test_every_finding_of_the_jury_is_put_into_words")],
    "J8": [
        ("unit/test_jury_honest.py", "test_honest_games_of_every_variant_raise_no_accusation"),
        ("faults/test_honest.py", "test_honest_games_raise_no_accusation"),
    ],
    "P1": [
        ("shared/test_fleet.py", "test_the_ranges_reach_as_far_as_the_protocol_says"),
        ("shared/test_fleet.py", "test_at_most_half_of_the_ships_rounded_down_may_be_along_a_wall"),
    ],
    "P2": [("e2e/test_board.py", "test_two_boards_play_each_other")],
    "P3": [
        ("e2e/test_board.py", "test_a_board_plays_the_bot_without_allocating_and_both_chat_in_russian"),
        ("e2e/test_tui_board.py", "test_as_master_a_whole_game_with_chat_and_a_goodbye"),
    ],
    "P4": [("e2e/test_bot.py", "test_two_bots_play_a_game_and_leave")],
    "S1": [(SALVO, "test_10x10_and_five_ships_with_their_cells_and_guns")],
    "S2": [
        (SALVO, "test_ships_lie_across_down_or_diagonally"),
        (LINES, "test_ships_are_placed_by_hand_diagonally_too"),
    ],
    "S3": [(SALVO, "test_ships_stay_on_the_board")],
    "S4": [(SALVO, "test_ships_may_not_touch_nor_cross")],
    "S5": [(SALVO, "test_rounds_are_numbered_from_1")],
    "S6": [(SALVO, "test_as_many_shots_as_the_guns_of_the_unsunk_ships")],
    "S7": [(SALVO, "test_a_bad_salvo_is_refused_whole_with_the_reason")],
    "S8": [
        (SALVO, "test_a_bad_salvo_is_refused_whole_with_the_reason"),
        (LINES, "test_a_bad_salvo_is_refused_whole_with_the_reason"),
    ],
    "S9": [(SALVO, "test_both_salvos_are_resolved_at_once")],
    "S10": [
        (SALVO, "test_a_player_learns_which_ship_was_hit_how_often_but_not_by_which_shot"),
        (LINES, "test_one_learns_which_ships_were_hit_but_not_by_which_shot"),
        (FIELD_VIEW, "test_in_a_salvo_the_view_has_which_ships_were_hit_and_not_by_which_shot"),
    ],
    "S11": [(SALVO, "test_of_the_shots_received_it_learns_cell_round_and_the_own_ship_hit")],
    "S12": [(SALVO, "test_both_boards_keep_the_round_number_of_every_shot")],
    "S13": [(SALVO, "test_the_record_of_a_round_holds_shots_hits_sinkings_and_the_state")],
    "S14": [(SALVO, "test_all_enemy_ships_sunk_wins")],
    "S15": [
        (SALVO, "test_both_in_the_same_round_is_a_draw"),
        (LINES, "test_two_people_fire_at_once_and_sinking_both_fleets_in_a_round_is_a_draw"),
    ],
    "S16": [(SALVO, "test_withdrawing_loses")],
    "S17": [(SALVO, "test_an_internal_failure_ends_it_as_abandoned")],
    "S18": [
        (SALVO, "test_the_computer_never_sees_the_other_board"),
        (FIELD_VIEW, "test_the_view_of_a_salvo_has_nothing_of_the_others_placing"),
    ],
    "M1": [(MELEE, "test_one_common_15x15_field_and_three_classic_fleets_that_touch_nobody")],
    "M2": [
        (MELEE, "test_one_common_15x15_field_and_three_classic_fleets_that_touch_nobody"),
        (MELEE, "test_placing_goes_from_long_ships_to_short_ones"),
    ],
    "M3": [(MELEE, "test_one_common_15x15_field_and_three_classic_fleets_that_touch_nobody")],
    "M4": [(MELEE, "test_a_stuck_placement_starts_over"), (MELEE, "test_placing_never_takes_long")],
    "M5": [(MELEE, "test_turn_order_is_A_B_C_or_drawn")],
    "M6": [(MELEE, "test_a_hit_gives_another_shot_and_a_miss_passes_the_turn")],
    "M7": [
        (MELEE, "test_a_hit_gives_another_shot_and_a_miss_passes_the_turn"),
        (MELEE, "test_a_player_whose_fleet_is_gone_is_out_and_the_turn_goes_past"),
    ],
    "M8": [
        (MELEE, "test_refused_with_the_reason_and_the_turn_kept"),
        (LINES, "test_refusals_tell_the_reason_to_the_player_alone_and_keep_the_turn"),
        (LOCAL, "test_bad_input_is_answered_on_the_screen"),
    ],
    "M9": [(MELEE, "test_everybody_sees_all_shots")],
    "M10": [
        (MELEE, "test_ships_stay_hidden_from_others_until_hit"),
        (LINES, "test_no_line_for_a_player_shows_a_ship_of_another_that_was_not_hit"),
        (LOCAL, "test_in_a_melee_no_screen_holds_a_ship_that_was_not_hit"),
    ],
    "M11": [(MELEE, "test_each_sees_the_own_ships_with_their_state")],
    "M12": [(FIELD_VIEW, "test_the_players_are_light_blue_light_green_and_light_orange")],
    "M13": [
        (MELEE, "test_the_last_move_is_shown_apart"),
        (FIELD_VIEW, "test_a_miss_is_a_red_dot_as_the_last_move_and_black_from_the_next_on"),
        (FIELD_VIEW, "test_a_hit_is_red_as_the_last_move_and_the_owners_darker_shade_from_the_next_on"),
        (FIELD_VIEW, "test_a_sinking_is_bombs_with_dots_around_and_the_owners_darker_shade_from_the_next_on"),
        ("unit/test_picture.py", "test_a_melee_is_drawn_in_the_colours_of_its_rules"),
    ],
    "M14": [
        (FIELD_VIEW, "test_a_miss_is_a_red_dot_as_the_last_move_and_black_from_the_next_on"),
        (FIELD_VIEW, "test_a_hit_is_red_as_the_last_move_and_the_owners_darker_shade_from_the_next_on"),
        (FIELD_VIEW, "test_a_sinking_is_bombs_with_dots_around_and_the_owners_darker_shade_from_the_next_on"),
        (FIELD_VIEW, "test_a_darker_shade_is_darker"),
    ],
    "M15": [
        (MELEE, "test_a_player_whose_fleet_is_gone_is_out_and_the_turn_goes_past"),
        (LINES, "test_in_russian_a_player_who_is_out_is_announced_so"),
    ],
    "M16": [
        (MELEE, "test_the_last_with_living_decks_wins_and_who_went_out_last_is_second"),
        (LINES, "test_a_person_who_hits_goes_on_and_wins_and_who_went_out_last_is_second"),
    ],
    "M17": [
        (LOCAL, "test_in_a_melee_no_screen_holds_a_ship_that_was_not_hit"),
        (LINES, "test_nothing_of_a_persons_view_is_on_the_screen_when_the_next_one_comes"),
    ],
    "M18": [(PEOPLE, "test_in_a_melee_who_gives_up_is_out_and_the_others_play_on")],
    "K1": [(SIM, "test_many_games_of_every_kind_keep_what_all_games_keep")],
    "K2": [
        (FIELD_VIEW, "test_in_a_melee_the_view_of_a_player_holds_no_ship_of_another_that_was_not_hit"),
        (FIELD_VIEW, "test_a_melee_without_its_hidden_ships_looks_the_same_and_leads_to_the_same_shot"),
        (FIELD_VIEW, "test_in_the_classic_game_a_player_and_a_computer_see_what_the_answers_told_and_nothing_else"),
        (FIELD_VIEW, "test_in_a_salvo_the_view_has_which_ships_were_hit_and_not_by_which_shot"),
        (FIELD_VIEW, "test_what_is_told_of_a_field_is_what_the_view_holds"),
    ],
    "K3": [
        (HEAP, "test_games_of_salvo_and_of_melee_allocate_nothing"),
        (HEAP, "test_games_of_the_variants_judged_at_the_end_allocate_nothing"),
    ],
}
"""A rule -> the tests that try it: file below tests/, and function."""


def rules() -> list[str]:
    """The names of all rules on the page, in its order."""
    return re.findall(r"^- \*\*([A-Z]\d+)\*\* \S", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


@functools.cache
def functions(file: str) -> set[str]:
    """The test functions of a file."""
    nodes = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8")).body
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def test_every_rule_has_a_name_of_its_own_and_they_are_counted_through():
    names = rules()
    assert len(set(names)) == len(names) > 0
    for kind in {name[0] for name in names}:
        numbers = [int(name[1:]) for name in names if name[0] == kind]
        assert numbers == list(range(1, len(numbers) + 1)), kind


def test_no_rule_of_the_page_is_without_tests_and_no_test_without_its_rule():
    assert rules() == list(TESTS)


@pytest.mark.parametrize("rule", TESTS)
def test_the_tests_of_a_rule_exist(rule: str):
    assert TESTS[rule]
    for file, function in TESTS[rule]:
        assert function in functions(file), f"{rule}: {file} has no {function}"
