const words = { amount: ['usdc', 'base'], ratio: ['percent', 'fraction', 'bps'] } as const

/** Whether a unit can be that of a field: a word of its kind, alone or with the decimals that an integer carries (`usdc e6`). */
export function unitFits(unit: string, units: 'amount' | 'ratio'): boolean {
  const [word = '', scale, ...more] = unit.split(' ')
  return more.length === 0 && words[units].some((known) => known === word) && (scale === undefined || /^e([1-9]|1[0-9]|2[0-9]|30)$/.test(scale))
}
