// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.api;

/** The paths of the market in the ResourceManager's web server. */
public final class ApiPaths {
    /** The API of the paper. */
    public static final String PAPER = "/scheduler";
    /** The console. */
    public static final String ROOT = "/heddle/market";
    /** The JSON API. */
    public static final String API = ROOT + "/v1/";

    /** The files of the console. */
    public static final String STATIC = ROOT + "/static/";
    /** The console's figures as tables. */
    public static final String TABLES = ROOT + "/tables";

    public static final String OPENAPI = ROOT + "/openapi.json";

    private ApiPaths() {}
}
