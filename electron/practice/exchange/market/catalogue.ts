export interface Market {
  readonly id: number
  readonly base: string
  readonly symbol: string
  readonly priceDecimals: number
  readonly sizeDecimals: number
  /** The tick size as decimal text: every price is a multiple of it. */
  readonly tick: string
  readonly minOrderUsdc: string
  readonly maxOrderUsdc: string
  readonly maxLeverage: number
  /**
   * `pending`: the exchange lists the market, but the market's contract does not exist yet. The exchange answers `contract_pending` to its orders.
   */
  readonly status: 'open' | 'pending'
  /** The price, in USDC, around which the invented market price moves. */
  readonly anchor: number
  /** How strongly the market's price varies, as a multiple of the calmest market's variation. */
  readonly liveliness: number
  /** The typical volume of a day, in USDC. */
  readonly dailyVolume: number
}

const market = (
  id: number,
  base: string,
  anchor: number,
  [priceDecimals, tick]: [number, string],
  sizeDecimals: number,
  [minOrder, maxOrder]: [string, string],
  maxLeverage: number,
  [liveliness, dailyVolume]: [number, number],
  { status = 'open', symbol = `${base}-PERP` }: Partial<Pick<Market, 'status' | 'symbol'>> = {},
): Market => ({
  id,
  base,
  symbol,
  priceDecimals,
  sizeDecimals,
  tick,
  minOrderUsdc: minOrder,
  maxOrderUsdc: maxOrder,
  maxLeverage,
  status,
  anchor,
  liveliness,
  dailyVolume,
})

export const catalogue: readonly Market[] = [
  market(1, 'BTC', 96_000, [1, '0.1'], 5, ['10', '5000000'], 50, [1, 184_000_000]),
  market(2, 'ETH', 3_300, [2, '0.01'], 4, ['10', '3000000'], 50, [1.2, 121_000_000]),
  market(3, 'SOL', 187, [3, '0.005'], 2, ['10', '1500000'], 40, [1.5, 64_000_000]),
  market(4, 'BNB', 640, [2, '0.05'], 3, ['10', '800000'], 25, [1, 21_000_000]),
  market(5, 'XRP', 2.31, [4, '0.0001'], 0, ['10', '1000000'], 25, [1.3, 33_000_000]),
  market(6, 'DOGE', 0.3612, [5, '0.00001'], 0, ['5', '500000'], 20, [1.7, 27_000_000]),
  market(7, 'AVAX', 38.4, [3, '0.001'], 1, ['10', '400000'], 20, [1.5, 9_400_000]),
  market(8, 'LINK', 21.7, [3, '0.001'], 1, ['10', '400000'], 20, [1.4, 11_800_000]),
  market(9, 'ARB', 0.9184, [4, '0.0001'], 0, ['10', '250000'], 20, [1.6, 6_200_000]),
  market(10, 'OP', 2.084, [4, '0.0005'], 1, ['10', '250000'], 20, [1.6, 5_100_000]),
  market(11, 'SUI', 3.916, [4, '0.0001'], 1, ['10', '300000'], 20, [1.8, 14_300_000]),
  market(12, 'AERO', 1.2437, [5, '0.00001'], 1, ['5', '100000'], 10, [1.9, 3_700_000]),
  market(13, 'PEPE', 0.0000198, [8, '0.00000001'], 0, ['5', '100000'], 10, [2, 8_900_000]),
  market(14, 'FLOKI', 0.0001874, [7, '0.0000001'], 0, ['5', '50000'], 5, [2, 1_600_000]),
  market(15, 'BONK', 0.03412, [6, '0.000001'], 0, ['5', '50000'], 5, [2, 2_300_000]),
  market(16, 'YFI', 9_240, [0, '1'], 4, ['25', '75000'], 3, [1.2, 410_000]),
  market(17, 'TIA', 5.63, [3, '0.001'], 1, ['10', '100000'], 10, [1.7, 1_900_000], { status: 'pending' }),
  market(18, '1000SATS', 0.2741, [4, '0.0001'], 0, ['1', '20000'], 2, [2, 96_000]),
  market(19, 'XAU', 2_652, [2, '0.25'], 3, ['100', '2000000'], 100, [0.3, 8_800_000]),
  market(20, 'EUR', 1.0843, [5, '0.00005'], 0, ['50', '10000000'], 100, [0.15, 46_000_000], { symbol: 'EURUSD' }),
  market(21, 'kSHIB', 0.02418, [6, '0.000002'], 0, ['5', '60000'], 7, [1.9, 740_000]),
  // These markets are deliberately unsorted, and their ids have gaps. A client that relies on the order of markets or ids then fails in tests.
  market(104, 'TOP10', 1_284_000, [0, '5'], 8, ['0.5', '1000'], 1, [0.8, 58_000], { symbol: 'TOP10.INDEX' }),
  market(1_024, 'STABLEDOMINANCE', 0.0519, [4, '0.0001'], 6, ['12.5', '7777.77'], 12, [0.4, 31_000], { symbol: 'STABLEDOMINANCE/USDC' }),
  market(33, 'HYPE', 27.35, [2, '0.01'], 2, ['10', '350000'], 33, [1.8, 17_600_000]),
]

/** The protocol's own token. The token has a price because it is traded elsewhere, but the exchange has no perpetual future for it. */
export const ownToken = market(0, 'SVC', 0.4187, [4, '0.0001'], 2, ['0', '0'], 1, [1.6, 2_350_000], { symbol: 'SVC' })

export const marketOf = (id: unknown): Market | null => catalogue.find((each) => each.id === id) ?? null

/** Finds a market by its id as text. Accepts `1`, but not `1.0`, ` 1` or `0x1`. */
export const marketOfText = (text: string | null | undefined): Market | null =>
  text !== null && text !== undefined && /^\d{1,4}$/.test(text) ? marketOf(Number(text)) : null
