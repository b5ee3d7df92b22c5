import { getAddress, isAddress } from 'viem'
import { endpoints } from '../../shared/api/endpoints/all.ts'
import type { ApiClient, KeyCredential } from '../api/api-client.ts'

/** null: it names none there, or that is among the unread. */
export interface PublishedContract {
  readonly config: string | null
  readonly meta: string | null
  readonly unread: readonly ('config' | 'meta')[]
}

/** A contract as the service publishes it: in `/api/dex/config` and, with a key, in `/meta`. */
export function createPublishedContract({ api, key }: { readonly api: Pick<ApiClient, 'call'>; readonly key: () => Promise<KeyCredential | null> }) {
  const nothing = { params: {}, query: {}, body: undefined } as const
  return (name: 'router' | 'usdc' | 'svc') => async (): Promise<PublishedContract> => {
    const credential = await key()
    const [config, meta] = await Promise.all([
      api.call(endpoints.getConfig, { ...nothing, credential: null }),
      credential === null ? null : api.call(endpoints.getMeta, { ...nothing, credential }),
    ])
    return {
      config: addressIn(config.ok ? config.value.value.contracts?.[name] : null),
      meta: addressIn(meta?.ok === true ? meta.value.value.contracts?.[name] : null),
      unread: [...(config.ok ? [] : (['config'] as const)), ...(meta?.ok === true ? [] : (['meta'] as const))],
    }
  }
}

const addressIn = (written: string | null | undefined): string | null =>
  typeof written === 'string' && isAddress(written, { strict: false }) ? getAddress(written) : null
