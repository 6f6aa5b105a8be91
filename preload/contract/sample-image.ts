/** Size of the sample image on which models are tried first. */
export const sampleSize = { width: 640, height: 400 };

/** A drawn scene with a person, a dog, a ball and a bus, so that detectors without a photograph show their form. */
export const sampleSvg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400" viewBox="0 0 640 400">
<defs><linearGradient id="s" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#8fc1e8"/><stop offset="1" stop-color="#e8f1f6"/></linearGradient></defs>
<rect width="640" height="400" fill="url(#s)"/>
<path d="M0 210Q120 150 260 200T640 180V400H0Z" fill="#7fa765"/>
<path d="M0 330Q320 280 640 310V400H0Z" fill="#c9b99b"/>
<rect x="78" y="150" width="16" height="70" fill="#6b4a33"/><circle cx="86" cy="120" r="48" fill="#3f7a45"/><circle cx="112" cy="142" r="30" fill="#4d8a52"/>
<rect x="400" y="170" width="190" height="92" rx="10" fill="#d8443c"/><rect x="412" y="184" width="36" height="32" fill="#cfe6f2"/><rect x="456" y="184" width="36" height="32" fill="#cfe6f2"/><rect x="500" y="184" width="36" height="32" fill="#cfe6f2"/><rect x="544" y="184" width="36" height="32" fill="#cfe6f2"/>
<circle cx="440" cy="264" r="18" fill="#25282c"/><circle cx="440" cy="264" r="8" fill="#9aa1a8"/><circle cx="550" cy="264" r="18" fill="#25282c"/><circle cx="550" cy="264" r="8" fill="#9aa1a8"/>
<circle cx="280" cy="150" r="20" fill="#d9a07f"/><path d="M262 142a19 19 0 0 1 36 0q-18-10-36 0z" fill="#4a3325"/><path d="M256 176q24-12 48 0l8 70h-64z" fill="#3f6aa8"/><path d="M258 182l-22 54 10 4 24-46zM302 182l22 54-10 4-24-46z" fill="#355b92"/><path d="M254 244h22l-2 92h-20zM284 244h22l2 92h-20z" fill="#2f3a4a"/><path d="M248 336h28v10h-30zM288 336h28l2 10h-30z" fill="#1f2328"/>
<path d="M128 292q0-18 22-18h56q14 0 14 16l-4 20h-82z" fill="#9a6438"/><circle cx="130" cy="278" r="19" fill="#9a6438"/><path d="M117 266q-10 4-8 22 8 4 14-6zM112 284h-8q-2 8 8 10z" fill="#7a4a26"/><circle cx="124" cy="275" r="3" fill="#1f2328"/><path d="M136 306h12v40h-12zM158 306h12v40h-12zM186 306h12v40h-12zM204 306h12v40h-12z" fill="#87552e"/><path d="M216 284q20-6 24-26" stroke="#87552e" stroke-width="8" fill="none"/>
<circle cx="372" cy="338" r="20" fill="#f2f2f2"/><path d="M372 328l9 7-3 11h-12l-3-11z" fill="#25282c"/><circle cx="372" cy="338" r="20" fill="none" stroke="#8b9096" stroke-width="2"/>
</svg>`;
