import { marginModes, orderTypes, sides, type WordClass, wordClass } from '../names/name-words.ts'
import { type Kind, may } from '../reader/field.ts'
import { custom } from '../reader/kinds.ts'

/** A field whose value must be a known word of this word class, such as "long". Converts the word to its meaning. Any other value is unreadable. */
const only = <W extends string>(of: WordClass<W>): Kind<W> => ({ ...custom<W>('word', of, 'leaf'), says: (value) => of(value) !== undefined })

/** A field whose value is usually a known word of this word class. Converts a known word to its meaning, and keeps any other word unchanged. */
const orOwn = <W extends string>(of: WordClass<W>): Kind<string> => ({
  ...custom<string>('word', (value) => of(value) ?? (typeof value === 'string' && value !== '' && value.length <= 4_096 ? value : undefined), 'leaf'),
  says: (value) => of(value) !== undefined,
})

/** A field that always keeps the service's own word. The known words only help to recognise the field by its value. */
const own = <W extends string>(of: WordClass<W>): Kind<string> => ({
  ...custom<string>('word', (value) => (typeof value === 'string' && value !== '' && value.length <= 4_096 ? value : undefined), 'leaf'),
  says: (value) => of(value) !== undefined,
})

/** Long or short. A bare number is not accepted, because services use 0 and 1 for either side. */
export const side: Kind<'long' | 'short'> = only(sides)
export const sideWord: Kind<string> = { ...orOwn(sides), closed: true }

export const orderType = orOwn(orderTypes)

export const marginMode = orOwn(marginModes)

export const orderStatuses = wordClass(['order status', 'order state', 'status', 'state', 'order', 'ord status'], {
  open: ['new', 'live', 'active', 'resting', 'working', 'accepted', 'placed', 'unfilled', 'opened', 'on book', 'in book'],
  partially_filled: [
    'partially filled',
    'partial',
    'partial fill',
    'partial filled',
    'part filled',
    'partly filled',
    'partially executed',
    'partially matched',
  ],
  filled: ['fully filled', 'complete', 'completed', 'executed', 'done', 'full fill', 'fill', 'matched'],
  cancelled: ['canceled', 'cancel', 'killed', 'withdrawn'],
  rejected: [],
  expired: [],
})
export const orderStatus = orOwn(orderStatuses)

export const effect = own(
  wordClass(['effect', 'position effect', 'trade'], {
    open: ['opened', 'opening', 'open position', 'entry', 'o'],
    close: ['closed', 'closing', 'close position', 'exit', 'c'],
    increase: ['increased', 'add', 'added'],
    decrease: ['decreased', 'reduce', 'reduced', 'reducing'],
    flip: ['flipped', 'invert', 'inverted', 'reverse', 'reversed'],
    partial_close: ['partially closed', 'close partly'],
    liquidate: ['liquidation', 'liquidated'],
  }),
)

export const tradeRole = own(
  wordClass(['role', 'liquidity', 'trade role'], {
    maker: ['m', 'add', 'added', 'passive', 'provider', 'resting', 'adds liquidity', 'added liquidity'],
    taker: ['t', 'remove', 'removed', 'aggressive', 'aggressor', 'removes liquidity', 'removed liquidity'],
  }),
)

export const liquidationState = own(
  wordClass(['liquidation state', 'liquidation', 'state', 'status', 'risk', 'health'], {
    normal: ['healthy', 'safe', 'ok', 'none', 'good', 'no risk', 'solvent', 'low', 'green'],
    warning: ['at risk', 'risky', 'danger', 'margin call', 'warn', 'unsafe', 'close', 'near liquidation', 'high', 'medium', 'yellow', 'red'],
    liquidating: ['liquidatable', 'in liquidation', 'being liquidated', 'under liquidation', 'liquidation'],
    liquidated: [],
  }),
)

/** Words for a market that is open become `open`. Any other state keeps the service's own word. */
const isOpen = wordClass(['market status', 'market state', 'status', 'state', 'market'], {
  open: ['trading', 'active', 'live', 'online', 'enabled', 'tradable', 'tradeable', 'listed', 'opened', 'normal', 'open for trading'],
})
const marketStates = wordClass(['market status', 'market state', 'status', 'state', 'market'], {
  closed: ['close', 'offline', 'inactive', 'disabled', 'down'],
  paused: ['halted', 'suspended', 'stopped', 'break', 'pause', 'halt', 'frozen'],
  reduce_only: ['close only', 'post only', 'cancel only', 'limit only'],
  delisted: ['settled', 'expired', 'settling', 'delisting'],
})
export const marketStatus: Kind<string> = {
  ...orOwn(isOpen),
  says: (value) => isOpen(value) !== undefined || marketStates(value) !== undefined,
}

/** The state of an intent or a delegated command. */
export const progress = own(
  wordClass(['intent state', 'command state', 'status', 'state', 'execution', 'intent', 'command'], {
    queued: ['received', 'accepted', 'pending', 'waiting', 'created', 'new', 'scheduled', 'prepared', 'ready', 'draft', 'validated', 'signature ready'],
    submitted: ['sent', 'broadcast', 'broadcasted', 'relayed', 'processing', 'running', 'in progress', 'executing', 'signed', 'dispatched', 'in flight'],
    executed: [
      'done',
      'complete',
      'completed',
      'success',
      'successful',
      'succeeded',
      'confirmed',
      'finalized',
      'finalised',
      'final',
      'mined',
      'settled',
      'included',
    ],
    partially_executed: ['partial', 'partially done', 'partly executed', 'partially completed', 'partial success'],
    failed: ['failure', 'error', 'errored', 'rejected', 'reverted', 'aborted', 'cancelled', 'canceled', 'expired', 'dropped', 'timed out', 'refused'],
    confirming: ['pending finality', 'confirmation', 'awaiting confirmation'],
  }),
)

/** The actions that the service can prepare or execute, as the API document names them. The app recognises an action field by these words. */
const actions = wordClass([], {
  ...{ open_position: [], close_position_market: [], close_position_limit: [], invert_position: [], update_tpsl: [], add_isolated_margin: [] },
  ...{ reduce_isolated_margin: [], change_isolated_leverage: [], cancel_order: [], replace_order: [], add_collateral: [], withdraw_collateral: [] },
  ...{ batch: [], open_market: [], create_limit: [], create_stop: [], set_tp: [], clear_tp: [], set_sl: [], clear_sl: [], isolated_manage: [] },
  ...{ increase: [], reduce: [], close: [], cancel: [], replace: [], invert: [] },
})
export const action = own(actions)

/** The states of finality in the API document's words. */
const finalities = wordClass(['finality', 'status', 'state'], { PENDING: [], PENDING_FINALITY: [], REVERTED: [], FINAL: [] })
export const finality: Kind<string> = own(finalities)

const isLong: Kind<'long' | 'short'> = custom('side', (value) => (yes.has(value) ? 'long' : no.has(value) ? 'short' : undefined), 'leaf')
const isShort: Kind<'long' | 'short'> = custom('side', (value) => (yes.has(value) ? 'short' : no.has(value) ? 'long' : undefined), 'leaf')
const yes: ReadonlySet<unknown> = new Set([true, 1, 'true', '1'])
const no: ReadonlySet<unknown> = new Set([false, 0, 'false', '0'])
/** Whether a value is 1 (long) or -1 (short). Other numbers are ambiguous, because services number the sides from 0 or from 1. */
const isSign = (value: unknown): boolean => ['1', '-1', '+1'].includes(String(value))
const sign: Kind<'long' | 'short'> = {
  ...custom<'long' | 'short'>('side', (value) => (isSign(value) ? (String(value) === '-1' ? 'short' : 'long') : undefined), 'leaf'),
  says: isSign,
  tells: (values) => values.some((value) => String(value) === '-1'),
}

/** Fields that state the side as a flag or a sign instead of a word. */
export const sideFlags = {
  isLong: may(['is_long', 'long', 'is_buy', 'buy'], isLong),
  isShort: may(['is_short', 'short', 'is_sell', 'sell'], isShort),
  sideSign: may(['sign', 'side_sign', 'direction_sign', 'position_sign'], sign),
} as const
type SideFlags = { readonly [K in keyof typeof sideFlags]: 'long' | 'short' | null }

/** Returns the side, from its word or from flags. null: not stated. `undefined`: two statements contradict each other. */
export function sideBy<S extends string>(word: S | null, flags: SideFlags): S | 'long' | 'short' | null | undefined {
  const flagged = [flags.isLong, flags.isShort, flags.sideSign]
  const known = sides(word) === undefined && flagged.some((one) => one !== null) ? null : word
  const said = new Set([known, ...flagged].filter((one) => one !== null))
  return said.size > 1 ? undefined : ([...said][0] ?? null)
}

/** An address, as the service writes it. Text that is not an address is also kept. */
export const address: Kind<string> = {
  ...custom<string>('address', (value) => (typeof value === 'string' && value !== '' && value.length <= 4_096 ? value : undefined), 'leaf'),
  says: (value) => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value),
}
