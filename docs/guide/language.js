// Adds a link to the same page in the other language to the menu bar. The books are in neighbouring folders, `en` and `ja`.
(() => {
  const language = document.documentElement.lang;
  const other = language === "ja" ? { code: "en", name: "English" } : { code: "ja", name: "日本語" };
  const place = window.location.pathname.lastIndexOf(`/${language}/`);
  const buttons = document.querySelector(".right-buttons");
  if (place < 0 || !buttons) {
    return;
  }
  const link = document.createElement("a");
  link.href = `${window.location.pathname.slice(0, place)}/${other.code}/${window.location.pathname.slice(place + 4)}`;
  link.lang = other.code;
  link.hreflang = other.code;
  link.textContent = other.name;
  link.className = "language-switch";
  buttons.prepend(link);
})();
