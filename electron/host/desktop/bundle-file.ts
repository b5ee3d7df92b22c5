import { readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}

export interface BundleParts {
  /** Folder of the built renderer. */
  readonly root: string
  readonly policy: () => string
}

/**
 * Serves `app://bundle/<file>` from the renderer’s folder: only GET and HEAD, known file types, and files inside the folder. Each response contains
 * the content security policy itself, so that later changes of response headers cannot remove it.
 */
export function createBundleResponder({ root, policy }: BundleParts): (request: Request) => Promise<Response> {
  return async (request) => {
    const url = URL.parse(request.url)
    if (url === null || url.protocol !== 'app:' || url.host !== 'bundle') return refuse(404)
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405)
    const file = fileOf(root, url.pathname)
    const type = file === null ? undefined : types[extname(file)]
    if (file === null || type === undefined) return refuse(404)
    let body: Buffer<ArrayBuffer>
    try {
      body = await readFile(file)
    } catch {
      return refuse(404)
    }
    return new Response(request.method === 'HEAD' ? null : body, {
      headers: {
        'content-type': type,
        'content-security-policy': policy(),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'x-dns-prefetch-control': 'off',
        'permissions-policy': 'camera=(), microphone=(), geolocation=(), clipboard-read=(), clipboard-write=()',
        // Files in /assets/ have a hash in their name and never change, so they are cached for a year. Pages are small and local, so they are not
        // cached.
        'cache-control': url.pathname.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-store',
      },
    })
  }
}

/** The file for a URL path; null if the path leads out of the folder or is not a plain file name. */
function fileOf(root: string, pathname: string): string | null {
  let decoded: string
  try {
    decoded = decodeURIComponent(pathname)
  } catch {
    return null
  }
  if (/[\0\\:]/.test(decoded) || decoded.split('/').some((part) => part === '..' || part === '.')) return null
  const file = join(root, decoded === '/' ? 'index.html' : decoded)
  return file.startsWith(root + sep) ? file : null
}

const refuse = (status: number): Response => new Response(null, { status, headers: { 'x-content-type-options': 'nosniff' } })
