-- Appends captions to a live call and bumps its version; a later text of the same caption replaces the earlier one in its place.
-- KEYS[1]  actor hash
-- KEYS[2]  caption bodies: HASH segmentId → JSON list, its text second and its final third
-- KEYS[3]  caption order: ZSET segmentId → place
-- ARGV[1]  most captions kept
-- ARGV[2]  life of the captions, ms
-- ARGV[3]  JSON list of [ segmentId, body ]
-- Returns  { version, meta, accepted... (1|0) }; {} when the call is unknown
-- Source   A3, A5, D9.1
local stored = redis.call('HMGET', KEYS[1], 'version', 'meta', 'place')
if not stored[1] then return {} end
local place = tonumber(stored[3] or '0')
local changed = 0
local answer = { 0, stored[2] or '' }
for _, segment in ipairs(cjson.decode(ARGV[3])) do
  local id, body = segment[1], segment[2]
  local known = redis.call('HGET', KEYS[2], id)
  local fresh = true
  if known then
    local before = cjson.decode(known)
    fresh = before[2] ~= body[2] or before[3] ~= body[3]
  end
  if fresh then
    redis.call('HSET', KEYS[2], id, cjson.encode(body))
    if not known then
      place = place + 1
      redis.call('ZADD', KEYS[3], place, id)
    end
    changed = changed + 1
  end
  answer[#answer + 1] = fresh and 1 or 0
end
local version = tonumber(stored[1])
if changed > 0 then
  version = version + 1
  redis.call('HSET', KEYS[1], 'version', version, 'place', place)
  local extra = redis.call('ZCARD', KEYS[3]) - tonumber(ARGV[1])
  if extra > 0 then
    local old = redis.call('ZRANGE', KEYS[3], 0, extra - 1)
    redis.call('HDEL', KEYS[2], unpack(old))
    redis.call('ZREM', KEYS[3], unpack(old))
  end
  redis.call('PEXPIRE', KEYS[2], ARGV[2])
  redis.call('PEXPIRE', KEYS[3], ARGV[2])
end
answer[1] = version
return answer
