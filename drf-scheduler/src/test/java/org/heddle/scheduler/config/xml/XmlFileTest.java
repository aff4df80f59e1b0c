// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.xml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.Problem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file becomes the library's tree: every node with its line, every value as it was written. */
@Tag("pure")
class XmlFileTest {
    private static ConfigNode read(String text) throws ConfigurationException {
        return XmlFile.read("a.xml", text.getBytes(StandardCharsets.UTF_8));
    }

    private static Problem refused(String text) {
        ConfigurationException e = catchThrowableOfType(ConfigurationException.class, () -> read(text));
        assertThat(e.problems()).hasSize(1);
        return e.problems().get(0);
    }

    @Test
    void everyElementKnowsItsLine() throws Exception {
        ConfigNode root = read("""
                <?xml version="1.0" encoding="UTF-8"?>
                <!-- a comment
                     of two lines -->
                <a>
                  <b>1</b>
                  <c
                     name="x"><d/></c>
                </a>
                """);

        assertThat(root.name()).isEqualTo("a");
        assertThat(root.line()).isEqualTo(4);
        assertThat(root.children()).extracting(ConfigNode::line).containsExactly(5, 7);
        assertThat(root.query("c.d")).extracting(ConfigNode::line).containsExactly(7);
        assertThat(ConfigNode.absent("w", 3).line()).isEqualTo(3);
    }

    @Test
    void theLibrarysExpressionsFindElements() throws Exception {
        ConfigNode root = read("<a><q name='x'><r>1</r><r>2</r></q><q name='y'><r>3</r></q><s/></a>");

        assertThat(root.query("q")).extracting(q -> q.attribute("name")).containsExactly("x", "y");
        assertThat(root.query("q(0).r")).extracting(ConfigNode::text).containsExactly("1", "2");
        assertThat(root.query("q.r(0)")).extracting(ConfigNode::text).containsExactly("1", "3");
        assertThat(root.query("q[@name]")).isEmpty(); // attributes are read from their element
        assertThat(root.query("s"))
                .singleElement()
                .satisfies(s -> assertThat(s.query("q")).isEmpty());
        assertThat(root.query("t")).isEmpty();
    }

    @Test
    void textIsKeptCharacterByCharacter() throws Exception {
        ConfigNode root = read("<a x=' 1 '><b> staff</b><c>a<!-- no -->b<![CDATA[ <c> ]]></c><d> </d><e/></a>");

        assertThat(root.children()).extracting(ConfigNode::rawText).containsExactly(" staff", "ab <c> ", " ", "");
        assertThat(root.children()).extracting(ConfigNode::text).containsExactly("staff", "ab <c>", "", "");
        assertThat(root.attribute("x")).isEqualTo("1");
        assertThat(root.attributes()).containsEntry("x", " 1 ").hasSize(1);
    }

    @Test
    void textBesideElementsIsKept() throws Exception {
        assertThat(read("<a>x<b>y</b>z</a>").text()).isEqualTo("xz");
        assertThat(read("<a>\n <b>y</b>\n</a>").text()).isEmpty();
        assertThat(read("<a>x</a>").text()).isEqualTo("x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "${env:HOME}",
                "${sys:user.home}",
                "${file:UTF-8:/etc/hostname}",
                "${script:javascript:1+1}",
                "${url:UTF-8:http://127.0.0.1:1/}",
                "${b}",
                "${const:java.io.File.separator}",
                "$${env:HOME}"
            })
    void nothingIsInterpolated(String expression) throws Exception {
        ConfigNode root = read("<a x='" + expression + "'><b>" + expression + "</b></a>");

        assertThat(root.query("b")).extracting(ConfigNode::text).containsExactly(expression);
        assertThat(root.attribute("x")).isEqualTo(expression);
    }

    @Test
    void listsAreNotSplit() throws Exception {
        ConfigNode root = read("<a><b>alice,bob;carol|dan\\,eve</b><b>,</b></a>");

        assertThat(root.children()).extracting(ConfigNode::text).containsExactly("alice,bob;carol|dan\\,eve", ",");
    }

    @Test
    void aFilesOwnAttributeIsNeverTakenForALine() throws Exception {
        ConfigNode root =
                read("<a line='77' space='default'><b line='78' xml:line='79' xml:space='default'> x </b></a>");

        assertThat(root.line()).isEqualTo(1);
        assertThat(root.attributes()).containsOnlyKeys("line", "space");
        assertThat(root.children().get(0).line()).isEqualTo(1);
        assertThat(root.children().get(0).attributes()).containsKeys("line", "space");
        assertThat(root.children().get(0).rawText()).isEqualTo(" x ");
        assertThat(root.attribute(LineDocumentBuilder.LINE)).isEmpty();
    }

    @Test
    void nameSpacesAreRefused() {
        assertThat(refused("<a>\n<b xmlns:x='y' x:line='7'/></a>").sentence())
                .contains("line 2", "name spaces are not used");
        assertThat(refused("<a>\n<b x:line='7'/></a>").sentence())
                .startsWith("line 2")
                .contains("x:line");
    }

    @Test
    void documentTypesAndEntitiesAreRefusedUnread(@TempDir Path directory) throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), "s3cret");
        for (String text : List.of(
                "<!DOCTYPE a [<!ENTITY e SYSTEM '" + secret.toUri() + "'>]><a>&e;</a>",
                "<!DOCTYPE a SYSTEM '" + secret.toUri() + "'><a/>",
                "<!DOCTYPE a [<!ENTITY % p SYSTEM '" + secret.toUri() + "'> %p;]><a/>")) {
            assertThat(refused(text).sentence()).contains("document types").doesNotContain("s3cret");
        }
        assertThat(refused("<a>&e;</a>").sentence()).contains("not well-formed");
    }

    @Test
    void whatIsNoXmlIsRefusedWithItsLine() {
        assertThat(refused("<a>\n<b>\n</a>").sentence()).startsWith("line 3").contains("not well-formed");
        assertThat(refused("").sentence()).contains("not well-formed");
        assertThat(refused("<?xml version='1.0' encoding='ISO-8859-1'?><a/>").sentence())
                .contains("must be UTF-8");
        assertThat(refused("<a>".repeat(41)).sentence()).contains("nested deeper than 40");
        ConfigurationException e = catchThrowableOfType(
                ConfigurationException.class, () -> XmlFile.read("a.xml", new byte[] {'<', 'a', '\n', (byte) 0xff}));
        assertThat(e).hasMessage("a.xml: line 2: is not UTF-8; save the file in that encoding");
    }
}
