-- Functions for reserve-slots-1.lua, which follows them in one script.
-- KEYS[1]  prefix of the slot registry
-- Source   D4.7 bounds of caller numbers; D4.8 order of choice
--
-- A dial of a counted number is a member of `dials:<number>` from its reservation on: its score is HELD until permit-dials books its instant, so
-- that it counts in every hour and day, and then the instant.
local HELD, HOUR_MS, KEEP_MS = 9000000000000000, 3600000, 180000000

-- Dials since the number's last pause of `restMs`, at most `restAfter`, and the instant of the latest.
local function streakOf(key, bounds, now)
  local rows = redis.call('ZREVRANGE', key, 0, bounds.restAfter - 1, 'WITHSCORES')
  local after, latest, streak = now, now, 0
  for index = 2, #rows, 2 do
    local at = math.min(now, tonumber(rows[index]))
    if index == 2 then latest = at end
    if after - at >= bounds.restMs then break end
    after, streak = at, streak + 1
  end
  return streak, latest
end

-- The dials of caller numbers at this instant; `days`: beginnings of business days, absent when the dials do not count.
local function dialsOfNumbers(p, now, days, retryMs)
  local dials, dayStart, nextDay = { uncounted = {} }, nil, nil
  for _, at in ipairs(days or {}) do
    if at <= now then dayStart = at elseif not nextDay then nextDay = at end
  end
  local hasCounts = days and redis.call('EXISTS', p .. 'counted') == 1

  -- Further dials that the bounds of a number allow; where none, also the instant from which they may allow one.
  function dials.left(number, bounds)
    if not bounds or not dayStart then return math.huge end
    if bounds.restingMs then return 0, now + bounds.restingMs end
    if not hasCounts or redis.call('HEXISTS', p .. 'counted', number) == 0 then
      dials.uncounted[#dials.uncounted + 1] = number
      return 0
    end
    local key, left, againAt = p .. 'dials:' .. number, math.huge, nil
    local function bound(allowed, freeAt)
      left = math.min(left, allowed)
      if allowed <= 0 then againAt = math.max(againAt or 0, freeAt) end
    end
    if bounds.hour then
      local since = '(' .. string.format('%d', now - HOUR_MS)
      local surplus = redis.call('ZCOUNT', key, since, '+inf') - bounds.hour
      -- The bound allows a dial again when so many of the oldest are an hour old.
      local row = surplus >= 0 and redis.call('ZRANGEBYSCORE', key, since, '+inf', 'WITHSCORES', 'LIMIT', surplus, 1) or {}
      local leftAt = tonumber(row[2] or now)
      bound(-surplus, leftAt >= HELD and now + retryMs or leftAt + HOUR_MS)
    end
    if bounds.day then bound(bounds.day - redis.call('ZCOUNT', key, string.format('%d', dayStart), '+inf'), nextDay or now + retryMs) end
    if bounds.restAfter then
      local streak, latest = streakOf(key, bounds, now)
      bound(bounds.restAfter - streak, latest + bounds.restMs)
    end
    return left, againAt
  end

  -- Counts a dial of a number whose dials the registry knows; '' for any other.
  function dials.count(caller, requestId)
    if caller == '' or not hasCounts or redis.call('HEXISTS', p .. 'counted', caller) == 0 then return '' end
    local key = p .. 'dials:' .. caller
    redis.call('ZREMRANGEBYSCORE', key, '-inf', now - KEEP_MS)
    redis.call('ZADD', key, HELD, requestId)
    redis.call('PEXPIRE', key, KEEP_MS)
    return caller
  end

  return dials
end

-- How well a number meets the wish, best first: the one to keep, of the city, of the province, any.
local OF_ANY = 3
local function tierOf(n, wish)
  if not wish then return OF_ANY end
  if n.number == wish.keep then return 0 end
  if wish.city and n.city == wish.city then return 1 end
  return wish.province and n.province == wish.province and 2 or OF_ANY
end

-- The best tier among the numbers below their limits, and whether all of its numbers are the avoided one.
local function bestTier(r, wish, avoided)
  local tier, isAvoided = OF_ANY + 1, false
  for _, n in ipairs(r.line.numbers) do
    if n.left > 0 and n.dials > 0 then
      local own, repeats = tierOf(n, wish), n.number == avoided
      if own < tier or own == tier and isAvoided and not repeats then tier, isAvoided = own, repeats end
    end
  end
  return tier, isAvoided
end
