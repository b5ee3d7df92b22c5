import { Secret } from '../../../electron/kernel/secret.ts'
import { second } from '../../../shared/time.ts'
import type { Workspace } from './workspace.ts'

/** Actions of the same user on another computer. They use the same session, but call the service directly. */
export interface Elsewhere {
  create(body?: Readonly<Record<string, unknown>>): Promise<{ readonly keyId: string; readonly secret: Secret }>
  rotate(keyId: string): Promise<Secret>
  revoke(keyId: string): Promise<void>
  /** Creates the key’s trading agent with a grant that the wallet signs. */
  grantAgent(keyId: string): Promise<void>
  bindExecutor(keyId: string, executor: string): Promise<void>
  works(secret: Secret): Promise<boolean>
}

export function elsewhere(workspace: Workspace): Elsewhere {
  const bearer = (): string => {
    const kept = workspace.vault.get(`session/practice/${workspace.account.address}`)
    if (kept === undefined) throw new Error('Elsewhere: nobody is signed in')
    return `Bearer ${(JSON.parse(kept.reveal()) as { bearer: string }).bearer}`
  }

  const ask = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    // Avoids the service’s rate limit. In the test, both simulated computers share this limit; a real second computer would have its own.
    workspace.clock.advance(second)
    const answer = await fetch(`${workspace.hostUrl}/api/dex/developer/keys${path}`, {
      method,
      headers: { authorization: bearer(), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`Elsewhere: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Record<string, unknown>
  }

  return {
    create: async (body = {}) => {
      const { api_key: secret, key } = await ask('POST', '', { label: 'of another tool', ...body })
      return { keyId: String((key as { key_id: string }).key_id), secret: new Secret(String(secret)) }
    },
    rotate: async (keyId) => new Secret(String((await ask('POST', `/${keyId}/rotate`)).api_key)),
    revoke: async (keyId) => {
      await ask('DELETE', `/${keyId}`)
    },
    grantAgent: async (keyId) => {
      const { grant } = (await ask('POST', `/${keyId}/agent`)) as { grant: { typed_data: unknown } }
      const signature = await workspace.sign({
        method: 'eth_signTypedData_v4',
        wallet: workspace.account.address,
        chainId: 8453,
        typedData: JSON.stringify(grant.typed_data),
        expiresAtMs: workspace.clock.now(),
      })
      await ask('POST', `/${keyId}/agent/grant`, { signature })
    },
    bindExecutor: async (keyId, executor) => {
      await ask('PUT', `/${keyId}/executor`, { executor })
    },
    works: async (secret) => {
      workspace.clock.advance(second)
      return (await fetch(`${workspace.hostUrl}/api/dex/v1/status`, { headers: { 'x-svc-api-key': secret.reveal() } })).ok
    },
  }
}
