import { catalogue, plural } from './catalogue.ts'

/** Texts for lengths of time, such as "5 days". */
export const unitWords = catalogue('units', {
  days: (count: number) => plural(count, { one: `${count} day`, other: `${count} days` }),
  hours: (count: number) => `${count} h`,
  minutes: (count: number) => `${count} min`,
  seconds: (count: number) => `${count} s`,
  two: (larger: string, smaller: string) => `${larger} ${smaller}`,
})
