/* SPDX-License-Identifier: Apache-2.0 */
"use strict";
/* The page is complete as it is; only the frame's status waits. */
document.getElementById("when").textContent = "Accounted once a minute";
