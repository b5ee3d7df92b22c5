import type { ProxyConfig } from 'electron'
import { notImplemented } from '../strict.ts'

/**
 * The result of `session.resolveProxy` in PAC notation: `DIRECT` or `PROXY host:port`. The system’s proxy comes from the variables HTTPS_PROXY,
 * HTTP_PROXY and NO_PROXY. Loopback addresses never use a proxy.
 */
export function resolveProxy(url: string, config: ProxyConfig, env: NodeJS.ProcessEnv): string {
  const { protocol, hostname } = new URL(url)
  const mode = config.mode ?? (config.proxyRules ? 'fixed_servers' : 'system')
  if (mode === 'direct' || isLoopback(hostname)) return 'DIRECT'
  if (mode === 'fixed_servers') {
    if (matchesAny(hostname, config.proxyBypassRules)) return 'DIRECT'
    return config.proxyRules ? inPacNotation(config.proxyRules) : 'DIRECT'
  }
  if (mode !== 'system') return notImplemented(`the proxy mode ${mode}`)
  const secure = protocol === 'https:' || protocol === 'wss:'
  const proxy = secure ? (env.HTTPS_PROXY ?? env.https_proxy) : (env.HTTP_PROXY ?? env.http_proxy)
  if (!proxy || matchesAny(hostname, env.NO_PROXY ?? env.no_proxy)) return 'DIRECT'
  return inPacNotation(proxy)
}

const isLoopback = (hostname: string) => hostname === 'localhost' || hostname.endsWith('.localhost') || hostname.startsWith('127.') || hostname === '[::1]'

function matchesAny(hostname: string, rules: string | undefined): boolean {
  const patterns = (rules ?? '').split(/[,;\s]+/).filter((pattern) => pattern !== '')
  return patterns.some((pattern) => pattern === '*' || hostname === pattern || hostname.endsWith(`.${pattern.replace(/^\*?\./, '')}`))
}

function inPacNotation(proxy: string): string {
  const { protocol, hostname, port } = new URL(proxy.includes('://') ? proxy : `http://${proxy}`)
  const kind = protocol.startsWith('socks') ? 'SOCKS5' : protocol === 'https:' ? 'HTTPS' : 'PROXY'
  return `${kind} ${hostname}:${port || (kind === 'HTTPS' ? '443' : kind === 'SOCKS5' ? '1080' : '80')}`
}
