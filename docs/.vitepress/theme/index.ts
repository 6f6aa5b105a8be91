import '@fontsource-variable/inter/wght.css';
import theme from 'vitepress/theme-without-fonts';
import './limner.css';

// VitePress reads the theme from this file's default export.
export default theme;
