/** What a secret is for: an API key, or a webhook whose deliveries are signed with it. */
export type SecretKind = 'key' | 'webhook'

/**
 * The names in the keychain under which a secret may stand. Two, so that a rotation writes beside the secret that it replaces. They follow
 * from the id alone: a secret whose index was lost is found again without ever searching the keychain.
 */
export const secretAccounts = (kind: SecretKind, profileId: string, id: string): readonly [string, string] => {
  const name = `${kind}/${profileId}/${id}`
  return [`${name}/1`, `${name}/2`]
}
