/** Why a wallet gave no signature. `detail` is the wallet's or the library's own word, for the journal. */
export interface SignFailure {
  readonly kind: 'rejected' | 'expired' | 'unreachable' | 'wrong_chain' | 'wrong_account' | 'disconnected' | 'failed'
  readonly detail: string
}

/** EIP-1193 4001 and WalletConnect 5000 to 5002: the person said no. */
const rejections: ReadonlySet<number> = new Set([4001, 5000, 5001, 5002])
/** WalletConnect 6000 and EIP-1193 4900: the session is over. */
const endings: ReadonlySet<number> = new Set([6000, 4900])

interface Layer {
  readonly code: number | null
  readonly message: string
}

/** An error and its causes, outermost first. Wallets and libraries wrap each other's errors, and some throw plain objects or text. */
function layersOf(thrown: unknown): readonly Layer[] {
  const layers: Layer[] = []
  let at: unknown = thrown
  while (at !== undefined && at !== null && layers.length < 8) {
    if (typeof at === 'string') {
      layers.push({ code: null, message: at })
      break
    }
    if (typeof at !== 'object') break
    const code = 'code' in at && typeof at.code === 'number' ? at.code : null
    const message = 'message' in at && typeof at.message === 'string' ? at.message : ''
    layers.push({ code, message })
    const inner: unknown = 'cause' in at && at.cause ? at.cause : 'data' in at ? at.data : undefined
    at = inner
  }
  return layers
}

const some = (layers: readonly Layer[], codes: ReadonlySet<number>, words: RegExp): boolean =>
  layers.some((layer) => (layer.code !== null && codes.has(layer.code)) || words.test(layer.message))

const none: ReadonlySet<number> = new Set()

/** Puts whatever a wallet request threw into the closed union. Codes first; words only where the library gives no code. */
export function classifySignFailure(thrown: unknown): SignFailure {
  const layers = layersOf(thrown)
  const detail = (layers.find((layer) => layer.message !== '')?.message ?? String(thrown)).slice(0, 500)
  if (some(layers, rejections, /user (rejected|denied|disapproved)|rejected by (the )?user/i)) return { kind: 'rejected', detail }
  if (some(layers, none, /request expired|proposal expired|\bexpired\b/i)) return { kind: 'expired', detail }
  if (some(layers, endings, /please call connect|no matching key|session.*(deleted|disconnected|not found)|user disconnected/i))
    return { kind: 'disconnected', detail }
  if (some(layers, none, /internet connection|socket|relay|failed to publish|publish.*(payload|timeout)|couldn't establish/i))
    return { kind: 'unreachable', detail }
  return { kind: 'failed', detail }
}
