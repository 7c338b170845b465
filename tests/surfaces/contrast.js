// The texts of a page that are hard to read on what is behind them (WCAG 2.2, 1.4.3), as [ratio, class, text].
() => {
  const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  const colour = (css) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = css;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((value, i) => value * a + under[i] * (1 - a));
  const light = (rgb) => rgb.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const found = [];
  const walk = (element, background, opacity) => {
    const style = getComputedStyle(element);
    if (style.display === "none" || style.visibility === "hidden" || (style.display !== "contents" && !element.getClientRects().length)) return;
    const own = colour(style.backgroundColor), seen = opacity * Number(style.opacity);
    if (seen === 0 || element.matches(":disabled")) return;
    const behind = own[3] ? over([own[0], own[1], own[2], own[3] * seen], background) : background;
    const says = [...element.childNodes].some((node) => node.nodeType === 3 && /[^\s\u2060]/.test(node.data));
    if (says && !element.closest("[data-testid=stIconMaterial]")) {
      const [r, g, b, a] = colour(style.color);
      const lights = [light(over([r, g, b, a * seen], behind)), light(behind)].sort((x, y) => y - x);
      const ratio = (lights[0] + 0.05) / (lights[1] + 0.05), size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (ratio < (large ? 3 : 4.5)) found.push([ratio.toFixed(2), String(element.className), element.textContent.trim().slice(0, 30)]);
    }
    for (const child of element.children) if (!(child instanceof SVGElement)) walk(child, behind, seen);
  };
  walk(document.querySelector(".stApp"), [255, 255, 255], 1);
  return found;
}
