import type { ApiClient } from '../transport/api-client.ts'

/** The same client for what asks by itself, again and again: its calls share the host's budget for polling, and go after everybody who waits. */
export const polling = <A extends Pick<ApiClient, 'call'>>(api: A): A => ({
  ...api,
  call: ((endpoint, request) => api.call(endpoint, { urgency: 'polling', ...request })) satisfies ApiClient['call'],
})
