// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.xml;

import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.commons.configuration2.XMLConfiguration;
import org.apache.commons.configuration2.convert.DisabledListDelimiterHandler;
import org.apache.commons.configuration2.io.FileHandler;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.Problem;

/**
 * Reads the bytes of a configuration file into commons-configuration2's tree. The library's interpolation is off, so
 * <code>${env:..}</code> and <code>${file:..}</code> are text like any other, and so is the splitting of lists.
 */
public final class XmlFile {
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private XmlFile() {}

    /**
     * The outermost element of a file.
     *
     * @param file its name, for messages
     * @throws ConfigurationException if the bytes are not well-formed XML in UTF-8, declare a document type, use name
     *     spaces or are nested too deep
     */
    public static ConfigNode read(String file, byte[] content) throws ConfigurationException {
        XMLConfiguration configuration = new XMLConfiguration();
        configuration.setInterpolator(null);
        configuration.setListDelimiterHandler(DisabledListDelimiterHandler.INSTANCE);
        configuration.setDocumentBuilder(new LineDocumentBuilder());
        try {
            new FileHandler(configuration).load(new StringReader(text(file, content)));
        } catch (org.apache.commons.configuration2.ex.ConfigurationException e) {
            if (e.getCause() instanceof RefusedXmlException refused) {
                throw refused(file, refused.line(), refused.element(), refused.value(), refused.wayOut());
            }
            throw new IllegalStateException("the file's bytes in memory cannot be read", e);
        }
        return new ConfigNode(configuration.getNodeModel().getNodeHandler().getRootNode());
    }

    /** Decoded here, because the parser prints errors of the encoding to standard error. */
    private static String text(String file, byte[] content) throws ConfigurationException {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
            return text.startsWith(BYTE_ORDER_MARK) ? text.substring(BYTE_ORDER_MARK.length()) : text;
        } catch (CharacterCodingException e) {
            int line = 1;
            for (int i = 0; i < bytes.position(); i++) {
                line += content[i] == '\n' ? 1 : 0;
            }
            throw refused(file, line, "", "", "is not UTF-8; save the file in that encoding");
        }
    }

    private static ConfigurationException refused(String file, int line, String element, String value, String wayOut) {
        return new ConfigurationException(List.of(new Problem(file, line, element, value, wayOut)));
    }
}
