-- One atomic step of the monitor registry: applies an operation, ends expired presences, assigns waiting calls to monitors with capacity.
-- KEYS[1]  prefix of the registry, m:{m}:
-- ARGV[1]  JSON: op and its members (monitoring/monitor-store.ts)
-- Returns  JSON: result of the op; changes[] { requestId, fence, since, kept, user?, agent?, name?, at? }; rev and mirror[] { user, room, camps, untilMs }
--          for the slot registry, when capacity may have changed; joined: a monitor has gained capacity
-- Source   A5, D9.4, D9.5, OCS 4.12 rules 1 and 3
--
-- presence ZSET user → end · user:<u> HASH · tabs:<u> HASH tab → end:campaign · has:<u> ZSET call → since · keeps:<u>, deny:<u> SET of calls
-- past:<u> ZSET ended call → end of display · call:<c> HASH · kept:<c> SET of users · waiting ZSET call → rank · ob ZSET call → when to notify its actor again · fence counter · rev of the last copy
local p = KEYS[1]
local ask = cjson.decode(ARGV[1])
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
-- Limit of calls examined per step; the rest waits for the next step.
local MAX_SCAN = 2000
-- The instance that changed a call notifies its actor; after this time any instance does, ms
local TELL_LEASE_MS = 3000
-- Ended calls are displayed while their own state is kept: until the result is due, plus 60 s (D9.2). This bound is longer, ms
local SHOWN_MS = 600000
local changed, order, touched, joined = {}, {}, false, false

local function key(kind, id) return p .. kind .. ':' .. id end
local function get(kind, id, ...) return redis.call('HMGET', key(kind, id), ...) end
local function isAlive(user) return redis.call('ZSCORE', p .. 'presence', user) ~= false end

local function change(call)
  redis.call('HSET', key('call', call), 'fence', redis.call('INCR', p .. 'fence'))
  redis.call('ZADD', p .. 'ob', now + TELL_LEASE_MS, call)
  if not changed[call] then order[#order + 1] = call end
  changed[call], touched = true, true
end

-- Rank: intent hit first, then priority, then longest waiting; the smallest comes first.
local function turnOf(call)
  local c = get('call', call, 'intent', 'prio', 'since')
  return ((c[1] == '1' and 0 or 101) + (100 - tonumber(c[2]))) * 1e13 + tonumber(c[3])
end

local function take(call)
  local user = get('call', call, 'user')[1]
  if user then
    redis.call('ZREM', key('has', user), call)
    redis.call('HDEL', key('call', call), 'user', 'at', 'pinned')
    redis.call('HSET', key('user', user), 'last', now)
  end
  redis.call('ZREM', p .. 'waiting', call)
end

local function wait(call)
  take(call)
  redis.call('HSET', key('call', call), 'since', now)
  redis.call('ZADD', p .. 'waiting', string.format('%.0f', turnOf(call)), call)
  change(call)
end

local function give(call, user)
  take(call)
  redis.call('HSET', key('call', call), 'user', user, 'at', now)
  redis.call('ZADD', key('has', user), now, call)
  redis.call('HSET', key('user', user), 'last', now)
  if redis.call('SREM', key('kept', call), user) == 1 then redis.call('SREM', key('keeps', user), call) end
  change(call)
end

-- Ends the read access that was kept during an intervention.
local function clearKept(user)
  for _, call in ipairs(redis.call('SMEMBERS', key('keeps', user))) do
    redis.call('SREM', key('kept', call), user)
    if redis.call('EXISTS', key('call', call)) == 1 then change(call) end
  end
  redis.call('DEL', key('keeps', user))
end

local function unfocus(user)
  redis.call('HDEL', key('user', user), 'focus')
  clearKept(user)
end

-- Ends a presence: all its calls go to other monitors, except one whose transfer has begun.
local function drop(user)
  redis.call('ZREM', p .. 'presence', user)
  for _, call in ipairs(redis.call('ZRANGE', key('has', user), 0, -1)) do
    if get('call', call, 'pinned')[1] ~= '1' then wait(call) end
  end
  clearKept(user)
  redis.call('DEL', key('deny', user), key('tabs', user))
  touched = true
  if redis.call('ZCARD', key('has', user)) == 0 then redis.call('DEL', key('user', user)) end
end

-- A monitor whose capacity has shrunk gives up the newest calls first, never the claimed one.
local function yieldExcess(user)
  local u = get('user', user, 'cap', 'focus')
  local excess = redis.call('ZCARD', key('has', user)) - tonumber(u[1])
  if excess <= 0 then return end
  for _, call in ipairs(redis.call('ZREVRANGE', key('has', user), 0, -1)) do
    if excess <= 0 then return end
    if call ~= u[2] and get('call', call, 'pinned')[1] ~= '1' then
      wait(call)
      excess = excess - 1
    end
  end
end

-- Campaigns shown in the user's open pages; '' = all.
local function openPages(user, tab, campaign, untilMs)
  redis.call('HSET', key('tabs', user), tab, untilMs .. ':' .. campaign)
  local campaigns, all = {}, false
  local rows = redis.call('HGETALL', key('tabs', user))
  for index = 1, #rows, 2 do
    local ends, wanted = string.match(rows[index + 1], '^(%d+):(.*)$')
    if tonumber(ends) <= now then redis.call('HDEL', key('tabs', user), rows[index])
    elseif wanted == '' then all = true
    else campaigns[#campaigns + 1] = wanted end
  end
  return all and '' or ',' .. table.concat(campaigns, ',') .. ','
end

local ops = {}

function ops.offer()
  if redis.call('EXISTS', key('call', ask.call)) == 1 then return end
  redis.call('HSET', key('call', ask.call), 'camp', ask.campaign, 'cell', ask.cell, 'prio', ask.priority, 'intent', ask.intent, 'strict', ask.strict)
  wait(ask.call)
end

local function showPast(user, call)
  redis.call('ZREMRANGEBYSCORE', key('past', user), '-inf', now)
  redis.call('ZADD', key('past', user), now + SHOWN_MS, call)
  redis.call('PEXPIRE', key('past', user), SHOWN_MS)
end

function ops.withdraw()
  local user = get('call', ask.call, 'user')[1]
  take(ask.call)
  if user then showPast(user, ask.call) end
  for _, keeper in ipairs(redis.call('SMEMBERS', key('kept', ask.call))) do
    redis.call('SREM', key('keeps', keeper), ask.call)
    showPast(keeper, ask.call)
  end
  redis.call('DEL', key('call', ask.call), key('kept', ask.call))
  redis.call('ZREM', p .. 'ob', ask.call)
  touched = true
  if user and get('user', user, 'focus')[1] == ask.call then unfocus(user) end
  if user and not isAlive(user) and redis.call('ZCARD', key('has', user)) == 0 then redis.call('DEL', key('user', user)) end
end

function ops.raise()
  if redis.call('EXISTS', key('call', ask.call)) == 0 then return end
  redis.call('HSET', key('call', ask.call), 'intent', 1)
  redis.call('ZADD', p .. 'waiting', 'XX', string.format('%.0f', turnOf(ask.call)), ask.call)
end

function ops.beat()
  local user, ends = ask.user, now + ask.ttlMs
  if redis.call('ZSCORE', p .. 'presence', user) and tonumber(redis.call('ZSCORE', p .. 'presence', user)) <= now then drop(user) end
  local before = tonumber(get('user', user, 'cap')[1] or '0')
  redis.call('ZADD', p .. 'presence', ends, user)
  redis.call('HSET', key('user', user), 'name', ask.name, 'agent', ask.agent, 'cell', ask.cell, 'cap', ask.capacity, 'freed', ask.freed,
    'camps', openPages(user, ask.tab, ask.campaign, ends))
  redis.call('HSETNX', key('user', user), 'last', now)
  touched, joined = true, ask.capacity > before
  yieldExcess(user)
  return { expiresAt = ends }
end

function ops.leave() drop(ask.user) end

function ops.release()
  local c = get('call', ask.call, 'user', 'pinned')
  if c[1] ~= ask.user then return { outcome = 'not_assigned' } end
  if c[2] == '1' or get('user', ask.user, 'focus')[1] == ask.call then return { outcome = 'intervening' } end
  redis.call('SADD', key('deny', ask.user), ask.call)
  wait(ask.call)
  return { outcome = 'released' }
end

function ops.focus()
  if not isAlive(ask.user) or redis.call('EXISTS', key('call', ask.call)) == 0 then return end
  if get('call', ask.call, 'user')[1] ~= ask.user then give(ask.call, ask.user) end
  redis.call('HSET', key('user', ask.user), 'focus', ask.call)
  for _, call in ipairs(redis.call('ZRANGE', key('has', ask.user), 0, -1)) do
    if call ~= ask.call and get('call', call, 'pinned')[1] ~= '1' then
      redis.call('SADD', key('keeps', ask.user), call)
      redis.call('SADD', key('kept', call), ask.user)
      wait(call)
    end
  end
end

function ops.pin()
  if get('call', ask.call, 'user')[1] == ask.user then redis.call('HSET', key('call', ask.call), 'pinned', 1) end
end

function ops.free()
  if get('user', ask.user, 'focus')[1] == ask.call then
    unfocus(ask.user)
    joined = true
    -- A heartbeat during the claim counted the agent as busy.
    local freed = get('user', ask.user, 'freed')[1]
    if freed then redis.call('HSET', key('user', ask.user), 'cap', freed) end
  end
  touched = true
  if get('call', ask.call, 'user')[1] ~= ask.user then return end
  redis.call('HDEL', key('call', ask.call), 'pinned')
  if not isAlive(ask.user) then
    wait(ask.call)
    redis.call('DEL', key('user', ask.user))
  else yieldExcess(ask.user) end
end

function ops.tick() end

local answer = ops[ask.op]() or {}

for _, user in ipairs(redis.call('ZRANGEBYSCORE', p .. 'presence', '-inf', now)) do drop(user) end

local function monitorsWithRoom()
  local monitors = {}
  for _, user in ipairs(redis.call('ZRANGE', p .. 'presence', 0, -1)) do
    local u = get('user', user, 'cap', 'focus', 'cell', 'camps', 'last')
    local used = redis.call('ZCARD', key('has', user))
    if not u[2] and used < tonumber(u[1]) then
      monitors[#monitors + 1] = { user = user, room = tonumber(u[1]) - used, used = used, cell = u[3], camps = u[4], last = tonumber(u[5]) }
    end
  end
  return monitors
end

-- Same cell first, then fewest calls, then longest idle (time since a call was last assigned or ended).
local function isBetter(a, b, cell)
  local aNear, bNear = a.cell == cell, b.cell == cell
  if aNear ~= bNear then return aNear end
  if a.used ~= b.used then return a.used < b.used end
  return a.last < b.last
end

local function pickMonitor(monitors, call)
  local c = get('call', call, 'camp', 'cell')
  local best = nil
  for index, m in ipairs(monitors) do
    local fits = m.camps == '' or string.find(m.camps, ',' .. c[1] .. ',', 1, true)
    if fits and (best == nil or isBetter(m, monitors[best], c[2])) and redis.call('SISMEMBER', key('deny', m.user), call) == 0 then best = index end
  end
  return best
end

local function allocate()
  if redis.call('ZCARD', p .. 'waiting') == 0 then return end
  local monitors = monitorsWithRoom()
  if #monitors == 0 then return end
  for _, call in ipairs(redis.call('ZRANGE', p .. 'waiting', 0, MAX_SCAN - 1)) do
    local index = pickMonitor(monitors, call)
    if index then
      local m = monitors[index]
      give(call, m.user)
      m.room, m.used, m.last = m.room - 1, m.used + 1, now
      if m.room == 0 then table.remove(monitors, index) end
      if #monitors == 0 then return end
    end
  end
end

allocate()

if ask.op == 'tick' then
  for _, call in ipairs(redis.call('ZRANGEBYSCORE', p .. 'ob', '-inf', now, 'LIMIT', 0, ask.limit)) do
    redis.call('ZADD', p .. 'ob', now + TELL_LEASE_MS, call)
    if not changed[call] then order[#order + 1] = call end
  end
end
if ask.op == 'beat' then
  -- Repairs inconsistencies that a crash between registry and call may have left.
  for _, call in ipairs(redis.call('ZRANGE', key('has', ask.user), 0, -1)) do
    if not changed[call] then order[#order + 1] = call end
    changed[call] = true
  end
end

answer.changes = {}
for _, call in ipairs(order) do
  local c = get('call', call, 'fence', 'since', 'user', 'at')
  if not c[1] then redis.call('ZREM', p .. 'ob', call)
  else
    local row = { requestId = call, fence = tonumber(c[1]), since = tonumber(c[2]), kept = table.concat(redis.call('SMEMBERS', key('kept', call)), ',') }
    if c[3] then
      local u = get('user', c[3], 'name', 'agent')
      row.user, row.at, row.name, row.agent = tonumber(c[3]), tonumber(c[4]), u[1] or '', tonumber(u[2] or '')
    end
    answer.changes[#answer.changes + 1] = row
  end
end

-- The slot registry needs the monitors' capacity for calls that require one.
if touched then
  -- Not a plain counter: after a loss it would restart below the revision in the slot registry. In µs, so that revisions cannot outrun the clock.
  local rev = string.format('%.0f', math.max(tonumber(redis.call('GET', p .. 'rev') or '0') + 1, t[1] * 1e6 + t[2]))
  redis.call('SET', p .. 'rev', rev)
  answer.rev, answer.mirror, answer.joined = rev, {}, joined
  for _, user in ipairs(redis.call('ZRANGE', p .. 'presence', 0, -1)) do
    local u = get('user', user, 'cap', 'focus', 'camps')
    local room = u[2] and 0 or tonumber(u[1])
    if room > 0 then
      for _, call in ipairs(redis.call('ZRANGE', key('has', user), 0, -1)) do
        if get('call', call, 'strict')[1] ~= '1' then room = room - 1 end
      end
    end
    answer.mirror[#answer.mirror + 1] = { user = user, room = math.max(0, room), camps = u[3], untilMs = redis.call('ZSCORE', p .. 'presence', user) }
  end
end
return cjson.encode(answer)
