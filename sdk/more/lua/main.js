// The host of a plugin that is written in Lua. The script is read once, when the plugin is loaded.

import { lauxlib, lua, lualib, to_luastring } from "fengari";
import { luaopen_js, push, tojs } from "fengari-interop";
import script from "./ticket.lua";

const state = lauxlib.luaL_newstate();
lualib.luaL_openlibs(state);
lauxlib.luaL_requiref(state, to_luastring("js"), luaopen_js, 1);
lua.lua_settop(state, 0);

function check(status) {
  if (status === lua.LUA_OK) return;
  const error = tojs(state, -1);
  throw error instanceof Object ? error : new Error(String(error));
}

check(lauxlib.luaL_loadbuffer(state, to_luastring(script), null, to_luastring("@ticket.lua")));
check(lua.lua_pcall(state, 0, 0, 0));

/** The value on top of the stack, which is taken from it: a table with a first member is a list, others are objects. */
function take() {
  if (!lua.lua_istable(state, -1)) {
    const value = tojs(state, -1);
    lua.lua_pop(state, 1);
    return value;
  }
  const isList = lua.lua_rawlen(state, -1) > 0;
  const object = {};
  lua.lua_pushnil(state);
  while (lua.lua_next(state, -2)) {
    const value = take();
    object[tojs(state, -1)] = value;
  }
  lua.lua_pop(state, 1);
  return isList ? Object.values(object) : object;
}

/** What the Lua function of this name answers. */
export function getCustomJwtClaims(request) {
  lua.lua_getglobal(state, to_luastring("getCustomJwtClaims"));
  push(state, request);
  check(lua.lua_pcall(state, 1, 1, 0));
  return take();
}
