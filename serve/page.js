// The page at /: rows in, findings out. Whatever comes from a file or an answer is put into the page as text, never as markup.
"use strict";

const at = (id) => document.getElementById(id);

function headers(more) {
  const token = at("token").value.trim();
  return token ? { ...more, Authorization: "Bearer " + token } : more;
}

function say(text, problem) {
  at("verdict").textContent = text;
  at("verdict").className = problem ? "problem" : "";
}

async function listModels() {
  const answer = await fetch("v1/models", { headers: headers({}) });
  if (answer.status === 401) return say("This service requires a token.", true);
  if (!answer.ok) return say("Cannot list the models: status " + answer.status, true);
  const models = (await answer.json()).models;
  at("model").replaceChildren(...models.map((model) => {
    const option = document.createElement("option");
    option.value = option.textContent = model.name;
    option.title = model.columns.map((column) => column.name + " (" + column.role + ")").join(", ");
    return option;
  }));
  say("", false);
}

function cell(row, text, number) {
  const made = row.appendChild(document.createElement(row.parentNode.nodeName === "THEAD" ? "th" : "td"));
  made.textContent = text;
  if (number) made.className = "number";
}

function shown(value) {
  return typeof value === "number" && !Number.isInteger(value) ? value.toPrecision(4) : value === null ? "" : String(value);
}

function show(findings, fdr) {
  const table = at("findings"), head = table.tHead, body = table.tBodies[0];
  head.replaceChildren();
  body.replaceChildren();
  table.hidden = findings.length === 0;
  if (findings.length === 0) return;
  const names = Object.keys(findings[0]).filter((name) => name !== "reasons");
  const top = head.insertRow();
  for (const name of names) cell(top, name, typeof findings[0][name] === "number");
  cell(top, "reasons", false);
  for (const finding of findings.slice(0, 1000)) {
    const row = body.insertRow();
    for (const name of names) cell(row, shown(finding[name]), typeof finding[name] === "number");
    cell(row, finding.reasons.map((reason) => reason.text).join("; "), false);
    if (finding.q_value <= (fdr || 0.1)) row.className = "alert";
  }
}

async function ask(event) {
  event.preventDefault();
  const fdr = at("fdr").value, rows = at("rows").value;
  say("…", false);
  show([], 0);
  const where = "v1/models/" + encodeURIComponent(at("model").value) + "/rank?reasons=3" + (fdr ? "&fdr=" + fdr : "");
  try {
    const answer = await fetch(where, {
      method: "POST",
      headers: headers({ "Content-Type": "application/octet-stream", Accept: "application/json" }),
      body: rows,
    });
    const found = await answer.json();
    if (!answer.ok) return say(found.detail || found.title || "status " + answer.status, true);
    say(JSON.parse(answer.headers.get("Anorank-Headline")).text, false);
    show(found, Number(fdr));
  } catch (error) {
    say("No answer: " + error.message, true);
  }
}

function takeFile(event) {
  event.preventDefault();
  at("rows").classList.remove("over");
  const file = event.dataTransfer.files[0];
  if (file) file.text().then((text) => { at("rows").value = text; });
}

at("ask").addEventListener("submit", ask);
at("token").addEventListener("change", listModels);
at("rows").addEventListener("drop", takeFile);
at("rows").addEventListener("dragover", (event) => { event.preventDefault(); at("rows").classList.add("over"); });
at("rows").addEventListener("dragleave", () => at("rows").classList.remove("over"));
listModels().catch((error) => say("No answer: " + error.message, true));
