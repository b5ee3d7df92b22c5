import { dialogText, windowText } from '../../../shared/text/desktop-text.ts'
import { inUserLanguage } from '../user-language.ts'
import type { FileKind } from './dialogs.ts'

const buttons = {
  exportAudit: 'export',
  exportEnds: 'export',
  exportTable: 'export',
  exportReport: 'export',
  exportFieldMap: 'export',
  importFieldMap: 'open',
  importKey: 'import',
  searchFolder: 'choose',
  saveGapCheck: 'save',
  saveReport: 'save',
  saveServiceCheck: 'save',
  saveBackup: 'save',
  openBackup: 'open',
  saveSupport: 'save',
} as const

export const dialogWords = (dialog: keyof typeof buttons): { readonly title: string; readonly button: string } =>
  inUserLanguage(() => ({ title: dialogText[dialog], button: dialogText[buttons[dialog]] }))

export const envDialogWords = (label: string): { readonly title: string; readonly button: string } =>
  inUserLanguage(() => ({ title: dialogText.saveEnv(label), button: dialogText.save }))

/** The texts of the dialog that asks before a command gets a secret. */
export const handoverQuestion = (label: string): { readonly title: string; readonly message: string; readonly button: string } =>
  inUserLanguage(() => ({ title: dialogText.handOver, message: dialogText.handOverQuestion(label), button: dialogText.handOverButton }))

/** The addresses whose calls prove that a bot uses its new key, for the dialogs that ask before a fleet plan may run its commands. */
export const fleetAddressesText = (addresses: string): string => inUserLanguage(() => dialogText.fleetAddresses(addresses))

/** The texts of the dialogs that ask before a fleet plan may run its commands. */
export const fleetQuestion = (page: number, pages: number): { readonly title: string; readonly message: string; readonly button: string } =>
  inUserLanguage(() => ({ title: dialogText.handOver, message: dialogText.fleetQuestion(page, pages), button: dialogText.fleetButton }))

/**
 * What a fleet plan's dialog says about a client: its program and what it gets. `program`: its path; null if it is not installed. `isWhole`: the client
 * replaces the whole item, and not one field.
 */
export const fleetClientWords = (program: string | null, content: 'key' | 'env', isWhole: boolean): readonly string[] =>
  inUserLanguage(() => [
    program === null ? dialogText.fleetMissing : dialogText.handOverProgram(program),
    content === 'key' ? dialogText.fleetKey : dialogText.fleetEnv,
    ...(isWhole ? [dialogText.fleetWhole] : []),
  ])

/** The file type to show in a file dialog, for a file name extension. */
export function fileKind(extension: 'csv' | 'ics' | 'json' | 'md' | 'svcbackup' | 'txt'): FileKind {
  const names = inUserLanguage(() => ({
    csv: dialogText.table,
    ics: dialogText.calendar,
    json: 'JSON',
    md: 'Markdown',
    svcbackup: dialogText.backup,
    txt: dialogText.text,
  }))
  return { name: names[extension], extensions: [extension] }
}

/** The label of the temporary secret that a receiver test uses. */
export const throwawayLabel = (): string => inUserLanguage(() => windowText.throwawayLabel)

/** What an exported table says in its last row if rows are missing. English in every language, because scripts read it. `null` for a whole table. */
export function incompleteText({ cut, unreadable }: { readonly cut: boolean; readonly unreadable: boolean }): string | null {
  const why = [
    ...(cut ? ['older rows exist, but the service repeats a page or names no next page'] : []),
    ...(unreadable ? ['the service lists some rows in a form that the app cannot read'] : []),
  ]
  return why.length === 0 ? null : `Incomplete: ${why.join('; ')}.`
}

/** Column headings of exported tables. They are English in every language, because scripts read them. */
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
    why: 'why unknown',
    by: 'found by',
    eventId: 'captured event',
    revokedId: 'revoked event',
    takesBackId: 'revokes',
  },
  report: ['name', 'realised usdc', 'fees usdc', 'funding usdc', 'net usdc', 'trades', 'closed', 'unknown amounts'],
  audit: ['time', 'source', 'kind', 'event', 'title', 'key id', 'label', 'address', 'request id', 'outcome', 'origin', 'detail'],
} as const
