-- The dissector around the translated watcher: fields, the bytes of each packet, and their display.

-- the installed plugin has it already, and there is no second one of this name
local is_new, proto = pcall(Proto, "seabattle", "Sea Battle serial protocol v1.0")
if not is_new then return end

local FRAME, STRAY, CUT, LACK, RULING = 1, 2, 3, 4, 6
local UNSURE = 255
local LOST_EVENT = 5
local DAMAGE_EVENTS = {[7] = true, [8] = true, [9] = true, [10] = true}

local f = {
  side = ProtoField.string("seabattle.side", "Side"),
  role = ProtoField.string("seabattle.role", "Role"),
  kind = ProtoField.string("seabattle.kind", "Kind"),
  op = ProtoField.uint8("seabattle.op", "Opcode", base.HEX, OPCODES),
  name = ProtoField.string("seabattle.name", "Name"),
  meaning = ProtoField.string("seabattle.meaning", "Meaning"),
  state = ProtoField.uint8("seabattle.state", "State of the sender", base.DEC),
  verdict = ProtoField.string("seabattle.verdict", "Verdict"),
  reason = ProtoField.string("seabattle.reason", "Reason"),
  wrong = ProtoField.string("seabattle.wrong", "What is wrong"),
  answers = ProtoField.uint8("seabattle.answers", "Answers", base.HEX, OPCODES),
  reply = ProtoField.double("seabattle.reply_ms", "Reply time in ms"),
  request_in = ProtoField.framenum("seabattle.request_in", "Request in", base.NONE, frametype.REQUEST),
  response_in = ProtoField.framenum("seabattle.response_in", "Response in", base.NONE, frametype.RESPONSE),
  l = ProtoField.uint8("seabattle.l", "Length", base.DEC),
  nick = ProtoField.string("seabattle.nick", "Nick"),
  text = ProtoField.string("seabattle.text", "Text"),
  cell = ProtoField.string("seabattle.cell", "Cell"),
  part = ProtoField.bytes("seabattle.part", "Part of a frame"),
  size = ProtoField.uint8("seabattle.size", "Cells a side", base.DEC),
  n4 = ProtoField.uint8("seabattle.n4", "Ships of four decks", base.HEX_DEC),
  n3 = ProtoField.uint8("seabattle.n3", "Ships of three decks", base.HEX_DEC),
  n2 = ProtoField.uint8("seabattle.n2", "Ships of two decks", base.HEX_DEC),
  n1 = ProtoField.uint8("seabattle.n1", "Ships of one deck", base.HEX_DEC),
  x = ProtoField.uint8("seabattle.x", "Column", base.DEC),
  y = ProtoField.uint8("seabattle.y", "Row", base.DEC),
}
proto.fields = f

local e = {
  violation = ProtoExpert.new("seabattle.violation", "Breaks the protocol", expert.group.PROTOCOL, expert.severity.ERROR),
  deviation = ProtoExpert.new("seabattle.deviation", "Deviates from the protocol", expert.group.PROTOCOL, expert.severity.WARN),
  doubt = ProtoExpert.new("seabattle.doubt", "Something was lost here", expert.group.SEQUENCE, expert.severity.NOTE),
  follows = ProtoExpert.new("seabattle.follows", "Follows from what was wrong before", expert.group.SEQUENCE, expert.severity.CHAT),
  noise = ProtoExpert.new("seabattle.noise", "Bytes that are no frame", expert.group.MALFORMED, expert.severity.NOTE),
}
proto.experts = e

local event_of = Field.new("rtacser.eventtype")

-- The watcher leaves some verdicts open until more has come: `undecided` is the record that waits. Wireshark shows the
-- decision, and so does tshark with -2 -R frame; in a single pass it prints a packet before the decision.
local w, clock, pending, command_end, sync_end, heard_at, packets, undecided, damaged
-- By side, the last command of each opcode.
local commands

function proto.init()
  w = watch.Watch.new()
  clock = timing.TickTimer.new()
  pending = {[0] = {n = 0}, [1] = {n = 0}}
  command_end, sync_end, heard_at = {}, {}, {}
  commands = {[0] = {}, [1] = {}}
  packets = {}
  undecided, damaged = nil, false
end

local function who(side, role)
  if role == 1 or role == 2 then return ROLE_WORDS[role] end
  return side == 0 and "A" or "B"
end

local function the_side(side, role)
  return THE_ROLES[role] or THE_SIDES[side]
end

local function cell_name(x, y)
  local letter = COLUMNS[x]
  if letter and y > 0 then return letter .. y end
  return "(" .. x .. "," .. y .. ")"
end

local function text_of(body)
  local last = body.n
  while last > 0 and (body[last - 1] == 0 or body[last - 1] == 32) do last = last - 1 end
  local out = {}
  for i = 0, last - 1 do out[#out + 1] = LETTERS[body[i]] end
  return table.concat(out)
end

local function fill(template, values)
  return (template:gsub("{([%w_]+)}", function(key) return tostring(values[key]) end))
end

local function meaning(record)
  local name = who(record.side, record.role)
  if record.kind == LACK then return name .. ": " .. REASONS[record.reason] end
  if record.kind == STRAY then return name .. ": " .. NOISE_WORD end
  local words = OPCODES[record.op] or "?"
  local body = record.body
  if record.kind == FRAME then
    local values = {text = text_of(body), cell = cell_name(body[0] or 0, body[1] or 0)}
    local fleet_words = {}
    for i = 1, 4 do fleet_words[i] = wire.count_of(5 - i, body[i] or 0) end
    values.parameters = fill(PARAMETERS, {size = body[0] or 0, fleet = table.concat(fleet_words, ",")})
    words = fill(WORDS[record.op], values)
  end
  if record.kind == CUT then words = words .. "..." end
  return name .. ": " .. words
end

local function wrong(record)
  local what = string.format("%02X", record.op)
  if record.kind == FRAME and record.state ~= UNSURE then what = fill(IN_STATE, {name = what, state = record.state}) end
  local why = record.reason == wire_R_STATE and NOT_ALLOWED[16 * record.op + record.state]
  return what .. ": " .. (why and fill(why, {who = the_side(record.side, record.role)}) or REASONS[record.reason])
end

-- The watcher's records since the last byte or tick.
local function take(records, first, last, at, number)
  while w:take() do
    local record = {
      kind = w.kind, side = w.side, role = w.role, op = w.op, verdict = w.verdict, reason = w.reason, state = w.state,
      answers = w.answers, body = {n = 0}, first = first, last = last, maybe = w.maybe, number = number, at = at,
    }
    if record.kind == RULING then
      if undecided then undecided.verdict, undecided.maybe = record.verdict, record.maybe end
      undecided = nil
      goto continue
    end
    if w.open ~= 0 then
      -- a doubt, until decided
      record.verdict, undecided = 4, record
    end
    if record.kind ~= LACK then
      if record.kind ~= STRAY then
        local data, size = w:data(record.side), w:size(record.side)
        for i = 0, size - 1 do record.body[i] = data[i] end
        record.body.n = size
      end
      local part, spare = pending[record.side], w.spare
      record.first = part.here
      record.last = last - spare
      pending[record.side] = {n = spare, here = last - spare + 1}
      if record.last < record.first then record.last = record.first end
    end
    if record.kind == FRAME then
      if wire.is_command(record.op) then
        commands[record.side][record.op] = record
      elseif record.answers ~= 0 then
        local asked = commands[1 - record.side][record.answers]
        if asked then record.request_in, asked.response_in = asked.number, number end
      end
      if record.op == wire_SYNC then
        sync_end[record.side] = at
      elseif wire.is_command(record.op) then
        command_end[record.side] = at
      elseif record.answers ~= 0 then
        local asked = command_end[1 - record.side]
        if record.op == wire_SYNCED then asked = sync_end[1 - record.side] end
        if asked then record.reply = (at - asked) / 1000 end
      end
    end
    records[#records + 1] = record
    ::continue::
  end
end

local function pass_time(records, at, number)
  clock:begin(at)
  while clock:due(at) do
    w:tick()
    take(records, 0, 0, at, number)
  end
end

local function listen(tvb, side, at, number)
  local records = {}
  pass_time(records, at, number)
  for i = 0, tvb:len() - 1 do
    local part = pending[side]
    if part.n == 0 then part.here = i end
    part.n = part.n + 1
    w.room = math.floor((at - (heard_at[side] or at)) / BYTE_US)
    heard_at[side] = at
    w:feed(side, tvb(i, 1):uint(), damaged and 1 or 0)
    damaged = false
    take(records, i, i, at, number)
  end
  for other = 0, 1 do
    -- the frame continues in a later packet
    local part = pending[other]
    if part.n > 0 then
      if other == side then records.rest = part.here end
      part.here = 0
    end
  end
  return records
end

local function show_fields(tree, tvb, record)
  local names = FIELDS[record.op]
  if not names then return end
  local at = record.first + 1
  for _, name in ipairs(names) do
    if name == "nick" or name == "text" then
      if at <= record.last then
        tree:add(f[name], tvb(at, record.last - at + 1), text_of(record.body))
      end
    elseif at <= record.last then
      tree:add(f[name], tvb(at, 1))
      at = at + 1
    end
  end
  if record.op == wire_SHOT then tree:add(f.cell, tvb(record.last, 1), cell_name(record.body[0], record.body[1])) end
end

local function show(tree, tvb, record)
  local says = meaning(record)
  local range = tvb()
  if record.kind ~= LACK then range = tvb(record.first, record.last - record.first + 1) end
  local branch = tree:add(proto, range, "Sea Battle, " .. says)
  branch:add(f.side, range, record.side == 0 and "A" or "B")
  branch:add(f.kind, range, KINDS[record.kind])
  if record.role ~= 0 then branch:add(f.role, range, ROLES[record.role]) end
  if record.kind ~= STRAY then
    branch:add(f.op, range, record.op)
    branch:add(f.name, range, OPCODES[record.op] or "")
  end
  branch:add(f.meaning, range, says)
  if record.kind == FRAME then show_fields(branch, tvb, record) end
  if record.state ~= UNSURE then branch:add(f.state, range, record.state) end
  if record.answers ~= 0 then branch:add(f.answers, range, record.answers) end
  if record.reply then branch:add(f.reply, range, record.reply) end
  if record.request_in then branch:add(f.request_in, range, record.request_in):set_generated() end
  if record.response_in then branch:add(f.response_in, range, record.response_in):set_generated() end
  branch:add(f.verdict, range, VERDICTS[record.verdict])
  if record.reason ~= 0 and record.verdict ~= 0 then
    branch:add(f.reason, range, REASON_NAMES[record.reason])
    local expert_info = e[VERDICTS[record.verdict]] or e.noise
    branch:add(f.wrong, range, wrong(record))
    branch:add_proto_expert_info(expert_info, wrong(record))
    if expert_info ~= e.follows then says = says .. " [" .. VERDICTS[record.verdict] .. ": " .. wrong(record) .. "]" end
  end
  return says
end

-- Content of the columns Source and Destination: the letter of a side, and its role once known.
local function end_name(records, side)
  local letter = side == 0 and "A" or "B"
  for _, record in ipairs(records) do
    if record.role ~= 0 and record.role ~= 3 then
      return letter .. " " .. ROLE_WORDS[record.side == side and record.role or 3 - record.role]
    end
  end
  return letter
end

local plain_data = Dissector.get("data")

function proto.dissector(tvb, pinfo, tree)
  local event = event_of()
  if not event or tvb:len() == 0 then return 0 end
  local side = event.value == 1 and 0 or event.value == 2 and 1 or nil
  if not side then return 0 end
  if not packets then proto.init() end
  -- a first pass without a tree has no fields, so remember which packets were processed
  if not packets[pinfo.number] then
    packets[pinfo.number] = listen(tvb, side, math.floor(pinfo.abs_ts * 1000000 + 0.5), pinfo.number)
  end
  pinfo.cols.protocol = "SeaBattle"
  local records = packets[pinfo.number] or {}
  pinfo.cols.src = end_name(records, side)
  pinfo.cols.dst = end_name(records, 1 - side)
  local said = {}
  for _, record in ipairs(records) do said[#said + 1] = show(tree, tvb, record) end
  if records.rest then
    local range = tvb(records.rest, tvb:len() - records.rest)
    tree:add(proto, range, "Sea Battle, part of a frame"):add(f.part, range)
    said[#said + 1] = "..."
  end
  pinfo.cols.info = (side == 0 and "A> " or "B> ") .. table.concat(said, "; ")
  -- exports (JSON, PDML, fields) have only fields, and decode reads the bytes back from this one
  plain_data:call(tvb, pinfo, tree)
  return tvb:len()
end

DissectorTable.get("rtacser.data"):add_for_decode_as(proto)

-- A packet that reports lost bytes has no payload, so only a postdissector sees it.
local gaps = Proto("seabattle_gaps", "Sea Battle, gaps in a capture")
local gap_event = Field.new("rtacser.eventtype")

function gaps.dissector(_, pinfo, _)
  local event = gap_event()
  if not event or pinfo.visited or not packets then return end
  if DAMAGE_EVENTS[event.value] then
    damaged = true
  elseif event.value == LOST_EVENT then
    local at = math.floor(pinfo.abs_ts * 1000000 + 0.5)
    if undecided and at - undecided.at > SOON then w:finish() else w:broken_off() end
    take({}, 0, 0, 0, pinfo.number)
    undecided, damaged = nil, false
    w:forget()
    clock:start(at)
    pending = {[0] = {n = 0}, [1] = {n = 0}}
  end
end

register_postdissector(gaps)
