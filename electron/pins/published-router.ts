import { getAddress, isAddress } from 'viem'
import { endpoints } from '../../shared/api/endpoints/all.ts'
import type { ApiClient, KeyCredential } from '../api/api-client.ts'

/** The router as the service publishes it: in `/api/dex/config` and, with a key, in `/meta`. */
export function createPublishedRouter({ api, key }: { readonly api: ApiClient; readonly key: () => Promise<KeyCredential | null> }) {
  const nothing = { params: {}, query: {}, body: undefined } as const
  return async (): Promise<{ readonly config: string | null; readonly meta: string | null }> => {
    const credential = await key()
    const [config, meta] = await Promise.all([
      api.call(endpoints.getConfig, { ...nothing, credential: null }),
      credential === null ? null : api.call(endpoints.getMeta, { ...nothing, credential }),
    ])
    return {
      config: addressIn(config.ok ? config.value.value.contracts?.router : null),
      meta: addressIn(meta?.ok === true ? meta.value.value.contracts?.router : null),
    }
  }
}

const addressIn = (written: string | null | undefined): string | null =>
  typeof written === 'string' && isAddress(written, { strict: false }) ? getAddress(written) : null
