import { build, type Plugin, type UserConfig } from 'vite'

/**
 * Builds `translated.html`, the entry page for languages other than English, in a separate build after the other pages. A single build for all pages
 * would create 50 % more script files. Finds each page’s script and style sheets by the meta tags that this plugin adds.
 */
export const translatedPages: Plugin = {
  name: 'translated-pages',
  transformIndexHtml: {
    order: 'post',
    // `bundle` is undefined when `npm run dev` serves the pages instead of a build.
    handler: (_html, { filename, bundle }) =>
      bundle === undefined && filename.endsWith('translated.html') ? named('index', '/main.tsx').concat(named('phone', '/phone.tsx')) : [],
  },
  config: ({ root, define }) => {
    Object.assign(settings, { root, define })
  },
  async writeBundle({ dir = '' }, bundle) {
    const files = Object.values(bundle)
    const pages = files.flatMap((file) =>
      file.type === 'chunk' && file.isEntry ? named(file.name, `./${file.fileName}`, [...(file.viteMetadata?.importedCss ?? [])]) : [],
    )
    const sheets = files
      .filter(({ fileName }) => /shared-styles.*\.css$/.test(fileName))
      .map(({ fileName }) => ({ tag: 'link', attrs: { rel: 'stylesheet', href: `./${fileName}` } }))
    await build({
      ...settings,
      configFile: false,
      base: './',
      logLevel: 'warn',
      plugins: [{ name: 'named-pages', transformIndexHtml: { order: 'post', handler: () => [...pages, ...sheets] } }],
      build: { outDir: dir, emptyOutDir: false, copyPublicDir: false, rollupOptions: { input: `${settings.root}/translated.html` } },
    })
  },
}

const settings: UserConfig = {}

/** The meta tag that names a page’s script and its style sheets. `sheets`: only those that this page does not share with the others. */
const named = (name: string, content: string, sheets: readonly string[] = []) => [
  { tag: 'meta', attrs: { name, content, 'data-sheets': sheets.map((sheet) => `./${sheet}`).join(' ') } },
]
