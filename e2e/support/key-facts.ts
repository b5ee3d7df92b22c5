import type { Effects, Practice } from './practice.ts'

/** The exchange’s record of the key with this label. Ignores the mark (such as ` #0a1b2c`) that the app appends to labels. */
export async function recordOf(practice: Practice, label: string): Promise<Effects['keys'][number]> {
  const found = (await practice.effects()).keys.find((key) => key.label.replace(/ #.*/, '') === label)
  if (found === undefined) throw new Error(`the exchange has no key ${label}`)
  return found
}

/** The HTTP status that a bot gets when it reads the versioned API with this secret. */
export const statusWith = async (practice: Practice, secret: string | undefined): Promise<number> =>
  (await fetch(`${practice.descriptor.hostUrl}/api/dex/v1/account`, { headers: { 'X-Svc-API-Key': secret ?? '' } })).status
