"""The Lua that runs on the server. One script writes; it compares, then does everything or nothing."""

from __future__ import annotations

from siltstone.stores.streams.server import Script

COMMITTED, MOVED, LATE = 1, 0, 2

COMMIT = Script("""
-- KEYS: head, journal, vector streams that the caller keeps a copy of.
-- ARGV: seq, epoch, version (what the caller knows); deadline in ms; most events to tell;
--       key of a list that holds the commands, or ''; seq, epoch, version, user (what becomes of it); then commands,
--       each as the number of its words, then the words.
local head = redis.call('HMGET', KEYS[1], 'seq', 'epoch', 'version')
local seq, epoch, version = head[1] or '0', head[2] or '0', head[3] or ARGV[3]
if seq ~= ARGV[1] or epoch ~= ARGV[2] or version ~= ARGV[3] then
  local told = {0, seq, epoch, version}
  local from = string.format('%d', ARGV[1] + 1)
  told[5] = redis.call('XRANGE', KEYS[2], from, '+', 'COUNT', ARGV[5])
  for n = 3, #KEYS do told[n + 3] = redis.call('XRANGE', KEYS[n], from, '+') end
  return told
end
local now = redis.call('TIME')
if now[1] * 1000 + math.floor(now[2] / 1000) > tonumber(ARGV[4]) then
  return {2}
end

local function rewritten(stream, put)
  local new, from = stream .. ':new', '-'
  redis.call('DEL', new)
  repeat
    local found = redis.call('XRANGE', stream, from, '+', 'COUNT', 500)
    for _, entry in ipairs(found) do
      local fields = put(entry[1], entry[2])
      if fields then redis.call('XADD', new, entry[1], unpack(fields)) end
    end
    if #found > 0 then from = '(' .. found[#found][1] end
  until #found < 500
  redis.call('DEL', stream)
  if redis.call('EXISTS', new) == 1 then redis.call('RENAME', new, stream) end
end

local own = {}
own['@vector'] = function(word)  -- stream, known, models, model, seq, then key and data by turns
  for n = 7, #word, 2 do
    if redis.call('SADD', word[3], word[n]) == 1 then
      redis.call('XADD', word[2], word[6] .. '-*', word[n], word[n + 1])
      redis.call('HINCRBY', word[4], word[5], 1)
    end
  end
end
own['@redact'] = function(word)  -- journal, then place and text by turns
  local texts = {}
  for n = 3, #word, 2 do texts[word[n] .. '-0'] = word[n + 1] end
  rewritten(word[2], function(id, fields)
    if texts[id] then fields[2] = texts[id] end
    return fields
  end)
end
own['@forget'] = function(word)  -- stream, known, models, model, then keys
  local gone = {}
  for n = 6, #word do gone[word[n]] = redis.call('SREM', word[3], word[n]) == 1 end
  rewritten(word[2], function(id, fields)
    if gone[fields[1]] then return nil end
    return fields
  end)
  local left = redis.call('SCARD', word[3])
  if left == 0 then redis.call('HDEL', word[4], word[5]) else redis.call('HSET', word[4], word[5], left) end
end

local function done(word)
  if own[word[1]] then own[word[1]](word) else redis.call(unpack(word)) end
end
local staged, place = ARGV[6], 11
if staged ~= '' then
  while true do
    local count = redis.call('LPOP', staged)
    if not count then break end
    done(redis.call('LPOP', staged, count))
  end
else
  while place <= #ARGV do
    local word, count = {}, tonumber(ARGV[place])
    for n = 1, count do word[n] = ARGV[place + n] end
    place = place + count + 1
    done(word)
  end
end
redis.call('HSET', KEYS[1], 'seq', ARGV[7], 'epoch', ARGV[8], 'version', ARGV[9], 'user', ARGV[10], 'schema', '1')
return {1}
""")

MENTIONING = Script("""
-- KEYS: journal. ARGV: first and last place, most entries to look at, two texts to look for.
-- Answers the next place to look from ('' at the end), then the entries that hold one of the texts.
local found = redis.call('XRANGE', KEYS[1], ARGV[1], ARGV[2], 'COUNT', ARGV[3])
local told = {''}
for _, entry in ipairs(found) do
  local text = entry[2][2]
  if string.find(text, ARGV[4], 1, true) or string.find(text, ARGV[5], 1, true) then told[#told + 1] = entry end
end
if #found == tonumber(ARGV[3]) then told[1] = '(' .. found[#found][1] end
return told
""")

OPEN = Script("""
-- KEYS: head, records. ARGV: the most records that are told at once.
local head = redis.call('HMGET', KEYS[1], 'seq', 'epoch', 'version', 'schema')
if redis.call('HLEN', KEYS[2]) > tonumber(ARGV[1]) then return {head} end
return {head, redis.call('HGETALL', KEYS[2])}
""")
