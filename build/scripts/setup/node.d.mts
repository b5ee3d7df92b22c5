export declare const pinnedNode: {
  readonly version: string
  readonly packages: Readonly<Record<string, { readonly name: string; readonly integrity: string }>>
}
export declare const wineNode: { readonly version: string }
export declare function fetchWineNode(): string
export declare function fetchPinnedNode(target: string): string
export declare function ensureNode(): string
