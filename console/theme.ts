import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** The single accent colour; buttons and links use shade 6. */
const BLUE: MantineColorsTuple = [
  '#eef4ff',
  '#dce7fd',
  '#b6cdf9',
  '#8cb1f5',
  '#6898f0',
  '#4a84ea',
  '#1c64d9',
  '#1756bd',
  '#124798',
  '#0d3672',
];

/** Backgrounds of the dark scheme: fields use shade 6, the page shade 7. */
const SLATE: MantineColorsTuple = [
  '#d5dae1',
  '#bcc4cf',
  '#9aa5b4',
  '#75808f',
  '#4a525e',
  '#38414d',
  '#232b35',
  '#1a2028',
  '#151a21',
  '#12161c',
];

export const theme = createTheme({
  primaryColor: 'accent',
  // White text on it is readable in both schemes.
  primaryShade: 6,
  colors: { accent: BLUE, dark: SLATE },
  autoContrast: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", "PingFang SC", "Microsoft YaHei", "Noto Sans SC", "Noto Sans CJK SC", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  headings: { sizes: { h1: { fontSize: '20px' }, h2: { fontSize: '16px' }, h3: { fontSize: '14px' } } },
});
