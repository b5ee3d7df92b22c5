/**
 * Words of everyday language for one thing, each line one thing. They are too loose to read by, and good enough to offer a place to the user, who sees its
 * value.
 */
const lines: readonly string[] = [
  'price rate quote level',
  'fee charge commission cost',
  'size quantity lot volume',
  'value worth exposure',
  'amount value sum',
  'balance gross holding held',
  'total overall gross sum issued',
  'locked frozen reserved hold encumbered blocked use',
  'free available spare idle unused transferable withdrawable cashable room',
  'margin collateral',
  'liquidation forced bankruptcy closeout',
  'unrealised open paper floating upl',
  'realised booked closed',
  'pnl upl profit gain result',
  'interest outstanding exposure',
  'volume traded turnover',
  'change move return difference',
  'high top highest peak',
  'low bottom lowest trough',
  '24h day daily 1d',
  'yearly yield return annual interest',
  'utilisation usage lent borrowed used',
  'asset pool fund aum',
  'share unit lp',
  'circulating float circulation',
  'supply token issued outstanding',
  'burned burnt destroyed removed',
  'staked bonded locked delegated',
  'holder owner wallet member',
  'max cap most largest ceiling limit',
  'min least smallest floor',
  'leverage multiplier gearing',
  'created born inserted opened started added c',
  'updated modified changed u',
  'next upcoming due coming',
  'expiry until end deadline valid',
  'used seen use',
  'start begin began since from',
  'name label title memo nickname alias',
  'token asset currency coin ccy',
  'executor operator relayer runner bot',
  'agent delegate bot',
  'url destination target callback endpoint address',
  'ip from remote source',
  'event what activity action kind topic',
  'status state phase stage lifecycle progress code',
  'reason cause why detail because',
  'client customer user cl',
  'order ord',
  'side direction way',
  'closed closure exit end',
  'id number no ref tid ticket',
  'key kid credential',
  'block height depth',
  'history series past timeline sample',
  'preparation draft pending ticket',
]

const groupsOf = new Map<string, Set<number>>()
lines.forEach((line, group) => {
  for (const word of line.split(' ')) groupsOf.set(word, (groupsOf.get(word) ?? new Set()).add(group))
})

export const areRelated = (one: string, other: string): boolean => {
  const groups = groupsOf.get(one)
  return groups !== undefined && [...(groupsOf.get(other) ?? [])].some((group) => groups.has(group))
}
