/** Texts of the system's own dialogs. They are here because the main process shows them. */

export const dialogWords = {
  exportAudit: { title: 'Export the audit log', button: 'Export' },
  exportEnds: { title: 'Export the ends of keys and grants', button: 'Export' },
  exportTable: { title: 'Export the table', button: 'Export' },
  exportReport: { title: 'Export the report', button: 'Export' },
  exportFieldMap: { title: 'Export field map', button: 'Export' },
  importFieldMap: { title: 'Import field map', button: 'Open' },
  importKey: { title: 'Import an API key', button: 'Import' },
  searchFolder: { title: 'Look for keys in a folder', button: 'Choose' },
  saveGapCheck: { title: 'Save the gap check', button: 'Save' },
  saveReport: { title: 'Save the report', button: 'Save' },
  saveServiceCheck: { title: 'Save the service check', button: 'Save' },
} as const

/** The question before a command gets a secret. */
export const handoverQuestion = (label: string) => ({
  title: 'Hand a key over',
  message: `Give the secret of “${label}” to this command?`,
  button: 'Hand over',
})

export const throwawayTitle = 'Throwaway secret of the receiver test'

/** Column headings of exported tables. */
export const tableHeadings = {
  history: {
    symbol: 'market',
    side: 'side',
    what: 'what',
    state: 'state',
    reason: 'reason',
    size: 'size',
    filledSize: 'filled size',
    entryPrice: 'entry price',
    price: 'price',
    valueUsdc: 'value usdc',
    feeUsdc: 'fee usdc',
    realisedPnlUsdc: 'realised usdc',
    fundingUsdc: 'funding usdc',
    role: 'role',
    tradeId: 'trade id',
    orderId: 'order id',
    positionId: 'position id',
    clientOrderId: 'client order id',
    intentId: 'intent id',
    txHash: 'transaction',
    keyLabel: 'key',
  },
  gaps: {
    title: 'intent',
    symbol: 'market',
    side: 'side',
    size: 'size',
    unit: 'unit',
    txHash: 'transaction',
    orderId: 'order id',
    result: 'result',
    why: 'why not judged',
    by: 'found by',
    eventId: 'captured event',
    revokedId: 'taken back event',
    takesBackId: 'takes back',
  },
  report: ['name', 'realised usdc', 'fees usdc', 'funding usdc', 'net usdc', 'trades', 'closed', 'amounts not told'],
  audit: ['time', 'source', 'kind', 'event', 'title', 'key id', 'label', 'address', 'request id', 'outcome', 'origin', 'detail'],
} as const
