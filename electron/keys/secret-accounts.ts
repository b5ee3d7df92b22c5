/**
 * The names in the keychain under which a key's secret may stand. Two, so that a rotation writes beside the secret that it replaces. They follow
 * from the key's id alone: a secret whose index was lost is found again without ever searching the keychain.
 */
export const secretAccounts = (profileId: string, keyId: string): readonly [string, string] => {
  const name = `key/${profileId}/${keyId}`
  return [`${name}/1`, `${name}/2`]
}
