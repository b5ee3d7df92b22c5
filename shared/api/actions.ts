import type { Scope } from './scopes.ts'

/** The 12 actions of `/orders/prepare`, each with the scope it needs. */
export const preparedActions = {
  open_position: 'trade:prepare',
  close_position_market: 'trade:prepare',
  close_position_limit: 'trade:prepare',
  invert_position: 'trade:prepare',
  update_tpsl: 'trade:prepare',
  add_isolated_margin: 'trade:prepare',
  reduce_isolated_margin: 'trade:prepare',
  change_isolated_leverage: 'trade:prepare',
  cancel_order: 'orders:manage',
  replace_order: 'orders:manage',
  add_collateral: 'collateral:manage',
  withdraw_collateral: 'collateral:manage',
} as const satisfies Record<string, Scope>

export type PreparedActionName = keyof typeof preparedActions

const execute: readonly Scope[] = ['trade:execute']
const executeAndManage: readonly Scope[] = ['trade:execute', 'orders:manage']

/** The 16 actions of `/orders/execute`. The actions that cancel, replace, or set or clear TP/SL also need `orders:manage`. */
export const delegatedActions = {
  open_position: execute,
  /** A batch of 1 to 32 actions needs the scopes of all its actions: see `delegatedScopes`. */
  batch: execute,
  open_market: execute,
  create_limit: execute,
  create_stop: execute,
  increase: execute,
  reduce: execute,
  close: execute,
  cancel: executeAndManage,
  replace: executeAndManage,
  set_tp: executeAndManage,
  clear_tp: executeAndManage,
  set_sl: executeAndManage,
  clear_sl: executeAndManage,
  invert: execute,
  isolated_manage: execute,
} as const satisfies Record<string, readonly Scope[]>

export type DelegatedActionName = keyof typeof delegatedActions

export const preparedActionNames = Object.keys(preparedActions).filter((name): name is PreparedActionName => Object.hasOwn(preparedActions, name))

/** Returns the scopes that a delegated call needs; `items` are the actions inside a batch. */
export function delegatedScopes(action: DelegatedActionName, items: readonly DelegatedActionName[] = []): readonly Scope[] {
  return [...new Set([action, ...items].flatMap((name) => delegatedActions[name]))]
}
